/**
 * The states of a thread and their transitions (specification, States and transitions). A trigger in the database
 * rejects all others, and a test checks that trigger and table agree.
 */
export const threadStates = ['ready', 'waiting', 'active', 'error', 'interrupted'] as const;
export type ThreadStateName = (typeof threadStates)[number];

export const transitions = {
  ready: ['waiting'],
  waiting: ['active', 'interrupted', 'error'],
  active: ['ready', 'error', 'interrupted'],
  interrupted: ['ready', 'waiting'],
  error: [],
} as const satisfies Record<ThreadStateName, readonly ThreadStateName[]>;

/**
 * The states of a thread and the pairs that may follow each other (specification, States and transitions). A trigger in
 * the database refuses every other pair; a test holds that the trigger and this table agree.
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

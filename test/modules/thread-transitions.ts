import type { ThreadStateName } from '../../src/contract.js';

/**
 * The transitions between the states of a thread (specification, States and transitions). A trigger in the database
 * rejects all others, and a test checks that trigger and table agree.
 */
export const transitions = {
  ready: ['waiting'],
  waiting: ['active', 'interrupted', 'error'],
  active: ['ready', 'error', 'interrupted'],
  interrupted: ['ready', 'waiting'],
  error: [],
} as const satisfies Record<ThreadStateName, readonly ThreadStateName[]>;

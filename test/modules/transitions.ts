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

/** The statuses of a response and the pairs that may follow each other. A trigger in the database refuses every other pair. */
export const responseTransitions: Record<string, readonly string[]> = {
  queued: ['running', 'failed', 'interrupted'],
  running: ['succeeded', 'failed', 'interrupted'],
  succeeded: [],
  failed: [],
  interrupted: [],
};

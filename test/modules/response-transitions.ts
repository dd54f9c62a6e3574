/** The statuses of a response and the pairs that may follow each other. A trigger in the database refuses every other pair. */
export const responseTransitions: Record<string, readonly string[]> = {
  queued: ['running', 'failed', 'interrupted'],
  running: ['succeeded', 'failed', 'interrupted'],
  succeeded: [],
  failed: [],
  interrupted: [],
};

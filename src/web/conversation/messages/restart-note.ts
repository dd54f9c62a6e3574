/** Why the text that was read is gone. */
export const restartNote = 'The answer was interrupted and started again.';

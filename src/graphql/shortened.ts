/** Characters of a message that repeats what a caller sent. */
const maximumLength = 500;
const endLength = 150;

/** The message, or its beginning and its end: the executor puts the value first and what is wrong with it last. */
export function shortened(message: string): string {
  if (message.length <= maximumLength) return message;
  const start = message.slice(0, maximumLength - endLength - 1).toWellFormed();
  return `${start}…${message.slice(-endLength).toWellFormed()}`;
}

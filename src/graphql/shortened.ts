/** Maximum length of a message that repeats input. */
const maximumLength = 500;
const endLength = 150;

/** The message, shortened in its middle: the executor puts the value first and the reason last. */
export function shortened(message: string): string {
  if (message.length <= maximumLength) return message;
  const start = message.slice(0, maximumLength - endLength - 1).toWellFormed();
  return `${start}…${message.slice(-endLength).toWellFormed()}`;
}

/**
 * Milliseconds from a clock that never goes back, and that all processes of the machine share: since it was started, where the
 * system has it so. A wall clock could be set between the sending of a token and its receipt.
 */
export function clockMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}

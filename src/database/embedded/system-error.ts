/** Whether the error is a system error (of files, processes or sockets) with one of these codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

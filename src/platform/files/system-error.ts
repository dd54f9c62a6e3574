/** What a file system says of a path that cannot be read or written as it was asked for. */
const ofFiles = (
  'EACCES EBUSY EDQUOT EEXIST EFBIG EIO EISDIR ELOOP EMFILE ENAMETOOLONG ENFILE ENODEV ENOENT ENOSPC ENOTDIR ENOTEMPTY ENXIO ' +
  'EPERM EROFS ESTALE ETXTBSY'
).split(' ');

/** Whether the error is one of the file system: something that a person who named a path can mend, and no defect. */
export function isFileError(error: unknown): error is Error & { code: string; path?: string } {
  return hasCode(error, ...ofFiles) && (error as NodeJS.ErrnoException).syscall !== 'connect';
}

/** Whether the error says that there is no space left. */
export function isFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG');
}

/** Whether the error is a system error (of files, processes or sockets) with one of these codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

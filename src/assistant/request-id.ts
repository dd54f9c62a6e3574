/**
 * The id that a provider gave to a request, by which its support finds it. It goes to the log, so anything that does not
 * look like an id is left out: a server of one's own may send whatever it likes.
 */
const names = ['x-request-id', 'request-id', 'x-goog-request-id'];

export function requestIdIn(headers: Record<string, string> | undefined): string | null {
  const id = names.map((name) => headers?.[name]).find((value) => value !== undefined);
  return id !== undefined && /^[A-Za-z0-9._:-]{1,128}$/.test(id) ? id : null;
}

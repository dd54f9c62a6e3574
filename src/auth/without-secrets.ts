/** Removes the session secret from a response body: it belongs only in the cookie, which no script can read. */
export function withoutSecrets(json: string): string {
  if (json === '') return '';
  return JSON.stringify(JSON.parse(json, (key, value: unknown) => (key === 'token' ? undefined : value)));
}

/** The secret of a session is for its cookie alone, which no script can read. */
export function withoutSecrets(json: string): string {
  if (json === '') return '';
  return JSON.stringify(JSON.parse(json, (key, value: unknown) => (key === 'token' ? undefined : value)));
}

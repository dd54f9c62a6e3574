import { revealed } from './any-address.js';

/**
 * Removes the session secret from a response body, because it belongs only in the cookie, which no script can read, and
 * shows the address that a user signed in with as it is.
 */
export function withoutSecrets(json: string): string {
  if (json === '') return '';
  return JSON.stringify(JSON.parse(json, shown));
}

function shown(key: string, value: unknown): unknown {
  if (key === 'token') return undefined;
  return key === 'email' && typeof value === 'string' ? revealed(value) : value;
}

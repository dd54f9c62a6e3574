import { type Scope, scopes } from '../../contract.js';

/** Default scopes of a token: all but creating others. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'tokens:write');

export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}

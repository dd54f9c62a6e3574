/** Scopes of access tokens. Each REST endpoint and each root field of the GraphQL schema requires exactly one. */
export const scopes = ['me:read', 'threads:read', 'threads:write', 'feedback:write', 'tokens:write'] as const;
export type Scope = (typeof scopes)[number];

/** Default scopes of a token: all but creating others. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'tokens:write');

export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}

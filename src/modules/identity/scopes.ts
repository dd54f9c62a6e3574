/** What an access token may do. Each REST endpoint and each root field of the graph needs exactly one of them. */
export const scopes = ['me:read', 'threads:read', 'threads:write', 'feedback:write', 'tokens:write'] as const;
export type Scope = (typeof scopes)[number];

/** What a token may do where nothing is said: all but make others. */
export const defaultScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'tokens:write');

export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}

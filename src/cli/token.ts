/**
 * `token create` prints only the secret, and `token list` one line per token that starts with its id, so that scripts
 * can read them.
 */
import { defineCommand } from 'citty';
import type { AccessToken } from '../../prisma/generated/client/client.js';
import { issueToken } from '../modules/identity/manage-tokens.js';
import { findUser, ProvisionError } from '../modules/identity/provision.js';
import { defaultScopes, isScope, type Scope, scopes } from '../modules/identity/scopes.js';
import { withDatabase } from './with-database.js';

const email = { type: 'string', required: true, description: 'E-mail address of the user' } as const;

const create = defineCommand({
  meta: { name: 'create', description: 'Create an access token and print it. It is shown only once.' },
  args: {
    email,
    name: { type: 'string', default: 'Made on the command line', description: 'Name of the token' },
    scopes: { type: 'string', default: defaultScopes.join(','), description: 'Scopes, separated by commas' },
    'expires-in': { type: 'string', default: '90d', description: 'Lifetime in days, for example 90d, or never' },
  },
  async run({ args }) {
    const granted = parseScopes(args.scopes);
    const expiresAt = parseExpiry(args['expires-in']);
    await withDatabase(async (database) => {
      const user = await findUser(database, args.email);
      const issued = await issueToken(database, { userId: user.id, name: args.name, scopes: granted, expiresAt });
      console.log(issued.secret);
    });
  },
});

const list = defineCommand({
  meta: { name: 'list', description: 'List the access tokens of a user, one line each.' },
  args: { email },
  async run({ args }) {
    await withDatabase(async (database) => {
      const user = await findUser(database, args.email);
      const tokens = await database.accessToken.findMany({ where: { userId: user.id }, orderBy: { id: 'asc' } });
      for (const token of tokens) console.log(describe(token));
    });
  },
});

const revoke = defineCommand({
  meta: { name: 'revoke', description: 'Revoke an access token immediately and permanently.' },
  args: { id: { type: 'positional', required: true, description: 'Id of the token, from `token list`' } },
  async run({ args }) {
    await withDatabase(async (database) => {
      const where = { id: args.id, revokedAt: null };
      const { count } = await database.accessToken.updateMany({ where, data: { revokedAt: new Date() } });
      if (count === 0) throw new ProvisionError(`There is no valid token ${args.id}.`);
      console.log(`${args.id} revoked`);
    });
  },
});

export const tokenCommand = defineCommand({
  meta: { name: 'token', description: 'Manage personal access tokens.' },
  subCommands: { create, list, revoke },
});

/** Formats a token on one line, whatever its name contains. */
function describe({ id, lastFour, expiresAt, revokedAt, lastUsedAt, scopes, name }: AccessToken): string {
  const day = (moment: Date | null) => moment?.toISOString().slice(0, 10) ?? 'never';
  const state = revokedAt ? `revoked ${day(revokedAt)}` : `expires ${day(expiresAt)}`;
  const called = name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  return [id, `…${lastFour}`, state, `used ${day(lastUsedAt)}`, scopes.join(','), called].join('  ');
}

function parseScopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0)
    throw new ProvisionError(`Unknown scope: ${unknown.join(', ')}. Scopes: ${scopes.join(', ')}.`);
  return names.filter(isScope);
}

function parseExpiry(text: string): Date | null {
  if (text === 'never') return null;
  const days = Number(/^([1-9][0-9]{0,4})d$/.exec(text)?.[1]);
  if (Number.isNaN(days))
    throw new ProvisionError(`"${text}" is not a valid duration. Use days, for example 90d, or never.`);
  return new Date(Date.now() + days * 86_400_000);
}

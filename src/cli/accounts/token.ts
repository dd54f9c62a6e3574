/**
 * `token create` prints only the secret, and `token list` one line per token that starts with its id, so that scripts
 * can read them.
 */
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { AccessToken } from '../../../prisma/generated/client/client.js';
import { type Scope, scopes } from '../../contract.js';
import { findUser, ProvisionError } from '../../modules/identity/provision.js';
import { defaultScopes, isScope } from '../../modules/identity/scopes.js';
import { issueToken } from '../../modules/identity/tokens/manage-tokens.js';
import { nameValue, onOneLine, value } from '../command-line.js';
import { withDatabase } from '../with-database.js';

const emailOption = ['--email <address>', 'E-mail address of the user', value] as const;

const create = new Command('create')
  .description('Create an access token and print it. It is shown only once.')
  .requiredOption(...emailOption)
  .option('--name <name>', 'Name of the token', nameValue, 'Made on the command line')
  .addOption(
    new Option('--scopes <scopes>', 'Scopes, separated by commas')
      .argParser(parseScopes)
      .default(defaultScopes, defaultScopes.join(',')),
  )
  .addOption(
    new Option('--expires-in <time>', 'Lifetime in days, for example 90d, or never')
      .argParser(parseDays)
      .default(90, '90d'),
  )
  .action(async ({ email, name, scopes, expiresIn: days }) => {
    await withDatabase(async (database) => {
      const user = await findUser(database, email);
      const expiresAt = days === 'never' ? null : new Date(Date.now() + days * 86_400_000);
      const issued = await issueToken(database, { userId: user.id, name, scopes, expiresAt });
      console.log(issued.secret);
    });
  });

const list = new Command('list')
  .description('List the access tokens of a user, one line each.')
  .requiredOption(...emailOption)
  .action(async ({ email }) => {
    await withDatabase(async (database) => {
      const user = await findUser(database, email);
      const tokens = await database.accessToken.findMany({ where: { userId: user.id }, orderBy: { id: 'asc' } });
      for (const token of tokens) console.log(describe(token));
    });
  });

const revoke = new Command('revoke')
  .description('Revoke an access token immediately and permanently.')
  .argument('<id>', 'Id of the token, from `token list`', value)
  .action(async (id) => {
    await withDatabase(async (database) => {
      const where = { id, revokedAt: null };
      const { count } = await database.accessToken.updateMany({ where, data: { revokedAt: new Date() } });
      if (count === 0) throw new ProvisionError(`There is no valid token ${id}.`);
      console.log(`${id} revoked`);
    });
  });

export const tokenCommand = new Command('token')
  .description('Manage personal access tokens.')
  .addCommand(create)
  .addCommand(list)
  .addCommand(revoke);

function describe({ id, lastFour, expiresAt, revokedAt, lastUsedAt, scopes, name }: AccessToken): string {
  const day = (moment: Date | null) => moment?.toISOString().slice(0, 10) ?? 'never';
  const state = revokedAt ? `revoked ${day(revokedAt)}` : `expires ${day(expiresAt)}`;
  return [id, `…${lastFour}`, state, `used ${day(lastUsedAt)}`, scopes.join(','), onOneLine(name)].join('  ');
}

function parseScopes(text: string): Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isScope(name));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Unknown scope: ${unknown.join(', ')}. Scopes: ${scopes.join(', ')}.`);
  return names.filter(isScope);
}

function parseDays(text: string): number | 'never' {
  if (text === 'never') return text;
  const days = /^([1-9][0-9]{0,4})d$/.exec(text)?.[1];
  if (days === undefined) throw new InvalidArgumentError('Use days, for example 90d, or never.');
  return Number(days);
}

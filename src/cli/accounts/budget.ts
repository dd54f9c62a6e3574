/** `budget` sets, lists and removes budgets; `list` prints one line per budget, its id first. */
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { budgetPeriods } from '../../contract.js';
import { DomainError } from '../../errors.js';
import { findOrganization, findUser, ProvisionError } from '../../modules/identity/provision.js';
import { maximumBudgets, type NewBudget, removeBudget, setBudget } from '../../modules/usage/budgets/manage-budgets.js';
import { type Budget, listBudgets } from '../../modules/usage/budgets/spent.js';
import { noPrices } from '../../modules/usage/prices.js';
import { value } from '../command-line.js';
import { loadConfig } from '../load-config.js';
import { withDatabase } from '../with-database.js';
import { emailsOf } from './emails.js';

const orgOption = ['--org <slug>', 'Slug of the organization', value] as const;

interface Whose {
  user?: string | undefined;
  token?: string | undefined;
  each?: 'user' | 'token' | undefined;
}

const set = new Command('set')
  .description('Limit what responses may take in a day or a month: in all, of a user or of an access token.')
  .requiredOption(...orgOption)
  .addOption(new Option('--user <address>', 'Of this user, by e-mail address').argParser(value))
  .addOption(new Option('--token <id>', 'Of this access token, from `token list`').argParser(value).conflicts('user'))
  .addOption(
    new Option('--each <what>', 'Of each that has none of its own')
      .choices(['user', 'token'] as const)
      .conflicts(['user', 'token']),
  )
  .addOption(new Option('--per <period>', 'When it renews, in UTC').choices(budgetPeriods).makeOptionMandatory())
  .addOption(new Option('--tokens <count>', 'Tokens in and out together').argParser(amount))
  .addOption(new Option('--cost <amount>', 'Cost by AI_PRICES').argParser(amount).conflicts('tokens'))
  .action(async ({ org, per: period, tokens, cost, ...whose }, command) => {
    const maximum = tokens ?? cost ?? command.error('error: give --tokens or --cost');
    const unit = tokens === undefined ? 'cost' : 'tokens';
    const prices = loadConfig().config.prices ?? noPrices;
    if (unit === 'cost' && prices.size === 0)
      throw new ProvisionError('--cost needs the prices of the models. Set AI_PRICES, for the service too.');
    await withDatabase(async (database) => {
      const { id: organizationId } = await findOrganization(database, org);
      const subject = await subjectOf(database, whose);
      const budget = { ...subject, period, unit, maximum } as const;
      console.log(await explained(() => setBudget({ database, prices }, organizationId, budget)));
    });
  });

async function subjectOf(
  database: PrismaClient,
  { user, token, each }: Whose,
): Promise<Pick<NewBudget, 'scope' | 'userId' | 'tokenId'>> {
  if (user !== undefined) return { scope: 'user', userId: (await findUser(database, user)).id, tokenId: null };
  if (token !== undefined) return { scope: 'token', userId: null, tokenId: token };
  return { scope: each ?? 'organization', userId: null, tokenId: null };
}

const list = new Command('list')
  .description('List the budgets of an organization with what was taken of each, one line each.')
  .requiredOption(...orgOption)
  .action(async ({ org }) => {
    const prices = loadConfig().config.prices ?? noPrices;
    await withDatabase(async (database) => {
      const { id: organizationId } = await findOrganization(database, org);
      const options = { database, prices, now: new Date() };
      const budgets = await listBudgets(options, { organizationId, limit: maximumBudgets });
      const emails = await emailsOf(
        database,
        budgets.flatMap(({ userId }) => userId ?? []),
      );
      for (const budget of budgets) console.log(lineOf(budget, emails));
    });
  });

const remove = new Command('remove')
  .description('Remove a budget.')
  .argument('<id>', 'Id of the budget, from `budget list`', value)
  .action(async (id) => {
    await withDatabase(async (database) => {
      await explained(() => removeBudget(database, { id }));
      console.log(`${id} removed`);
    });
  });

export const budgetCommand = new Command('budget')
  .description('Manage budgets: limits of what responses may take.')
  .addCommand(set)
  .addCommand(list)
  .addCommand(remove);

function amount(text: string): number {
  if (/^\d{1,16}(\.\d{1,6})?$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is not a number such as 1000000 or 12.50.');
}

function lineOf(
  { id, scope, userId, tokenId, period, unit, maximum, spent, renewsAt }: Budget,
  emails: ReadonlyMap<string, string>,
): string {
  const one = userId === null ? tokenId : (emails.get(userId) ?? userId);
  const whose = one ?? (scope === 'organization' ? scope : `each ${scope}`);
  const taken = spent === null ? '' : `${Number(spent.toFixed(6))} taken`;
  const until = `renews ${renewsAt.toISOString().slice(0, 10)}`;
  return [id, whose, `${maximum} ${unit} a ${period}`, taken, until].filter(Boolean).join('  ');
}

/** What callers of the service are told is told to the operator too. */
async function explained<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof DomainError ? new ProvisionError(error.message) : error;
  }
}

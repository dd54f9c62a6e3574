/** `usage` prints the tokens that the responses of an organization took, one line per day, user or model. */
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { findOrganization } from '../../modules/identity/provision.js';
import { noPrices } from '../../modules/usage/prices.js';
import { readUsage, type UsageSum } from '../../modules/usage/read-usage.js';
import { dayOf, isDay, monthUntil, problemOfSpan } from '../../modules/usage/usage-days.js';
import { value } from '../command-line.js';
import { loadConfig } from '../load-config.js';
import { withDatabase } from '../with-database.js';
import { emailsOf } from './emails.js';

const maximumLines = 10_000;

export const usageCommand = new Command('usage')
  .description('Print the tokens that the responses of an organization took, and what they cost by AI_PRICES.')
  .requiredOption('--org <slug>', 'Slug of the organization', value)
  .option('--from <day>', 'First day in UTC (default: 29 days before the last)', day)
  .option('--to <day>', 'Last day in UTC (default: today)', day)
  .addOption(new Option('--by <what>', 'What is added up').choices(['day', 'user', 'model']).default('day' as const))
  .action(async ({ org, from: given, to = dayOf(new Date()), by }, command) => {
    const from = given ?? monthUntil(to);
    const problem = problemOfSpan(from, to);
    if (problem) command.error(`error: the first day ${problem}`);
    const prices = loadConfig().config.prices ?? noPrices;
    await withDatabase(async (database) => {
      const { id: organizationId } = await findOrganization(database, org);
      const request = { organizationId, from, to, groupBy: by, limit: maximumLines };
      const sums = await readUsage(database, prices, request);
      const emails = await emailsOf(
        database,
        sums.flatMap(({ userId }) => userId ?? []),
      );
      console.log([by, 'responses', 'input_tokens', 'output_tokens', 'cost'].join('\t'));
      for (const sum of sums) console.log(lineOf(sum, emails));
    });
  });

function day(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('It is not a day such as 2026-11-23.');
}

/** A cost that leaves models without a price out ends in `+`. */
function lineOf(sum: UsageSum, emails: ReadonlyMap<string, string>): string {
  const user = sum.userId === null ? null : (emails.get(sum.userId) ?? sum.userId);
  const cost = sum.cost === null ? '-' : `${sum.cost.toFixed(4)}${sum.isCostComplete ? '' : '+'}`;
  return [sum.day ?? user ?? sum.model, sum.responses, sum.inputTokens, sum.outputTokens, cost].join('\t');
}

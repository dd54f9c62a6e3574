import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { deleteOrganization } from '../../modules/deletion/delete-user.js';
import { maximumRetentionDays } from '../../modules/deletion/retention.js';
import { createOrganization, findOrganization } from '../../modules/identity/provision.js';
import { nameValue, onOneLine, value } from '../command-line.js';
import { requireYes, yes } from '../confirm.js';
import { counted, whileCounted } from '../copies/progress.js';
import { withDatabase } from '../with-database.js';

const create = new Command('create')
  .description('Create an organization.')
  .requiredOption('--slug <slug>', 'URL-safe name, unique in the service', value)
  .requiredOption('--name <name>', 'Display name', nameValue)
  .action(async ({ slug, name }) => {
    await withDatabase(async (database) => {
      const organization = await createOrganization(database, { slug, name });
      console.log(`${organization.id} ${organization.slug}`);
    });
  });

const list = new Command('list').description('List the organizations, one line each.').action(async () => {
  await withDatabase(async (database) => {
    const organizations = await database.organization.findMany({ orderBy: { slug: 'asc' } });
    for (const { slug, retentionDays, name } of organizations)
      console.log([slug, `retention ${retentionDays ?? 'off'}`, onOneLine(name)].join('  '));
  });
});

const retention = new Command('retention')
  .description('Delete threads that have not changed for some days, from now on.')
  .requiredOption('--slug <slug>', 'Slug of the organization', value)
  .requiredOption('--days <days>', 'How many days threads are kept after their last change, or "off"', days)
  .action(async ({ slug, days: chosen }) => {
    const retentionDays = chosen === 'off' ? null : chosen;
    await withDatabase(async (database) => {
      const { id } = await findOrganization(database, slug);
      await database.organization.update({ where: { id }, data: { retentionDays } });
      const kept = retentionDays === null ? 'its threads' : `threads for ${counted(retentionDays, 'day')}`;
      console.log(`${slug} keeps ${kept}.`);
    });
  });

function days(text: string): number | 'off' {
  if (text === 'off') return text;
  const count = Number(text);
  if (/^\d{1,5}$/.test(text) && count >= 1 && count <= maximumRetentionDays) return count;
  throw new InvalidArgumentError(`Give a number from 1 to ${maximumRetentionDays}, or "off".`);
}

function contents({ users, threads }: { users: number; threads: number }): string {
  return `${counted(users, 'user')} and ${counted(threads, 'thread')}`;
}

const remove = new Command('delete')
  .description('Delete an organization with all of its users and threads.')
  .requiredOption('--slug <slug>', 'Slug of the organization', value)
  .addOption(yes())
  .action(async ({ slug, yes: isSaid }) => {
    await withDatabase(async (database) => {
      const { id } = await findOrganization(database, slug);
      const [users, threads] = await Promise.all([
        database.user.count({ where: { organizationId: id } }),
        database.thread.count({ where: { organizationId: id } }),
      ]);
      requireYes(isSaid, `the organization ${slug} with ${contents({ users, threads })}`);
      const deleted = await whileCounted(
        (done) => `${done} of ${counted(threads, 'thread')}`,
        (onThreads) => deleteOrganization(database, id, { onThreads }),
      );
      console.log(`Deleted ${slug} with ${contents(deleted)}.`);
    });
  });

export const orgCommand = new Command('org')
  .description('Manage organizations.')
  .addCommand(create)
  .addCommand(list)
  .addCommand(retention)
  .addCommand(remove);

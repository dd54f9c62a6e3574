import { Command, Option } from '@commander-js/extra-typings';
import { deleteUser } from '../../modules/deletion/delete-user.js';
import { exportUser } from '../../modules/export/export-user.js';
import {
  createUser,
  findOrganization,
  findUser,
  findUserOrRemoved,
  requireOtherAdministrator,
} from '../../modules/identity/provision.js';
import { issueSignInLink } from '../../modules/identity/sign-in-link.js';
import { nameValue, onOneLine, value } from '../command-line.js';
import { requireYes, yes } from '../confirm.js';
import { counted, whileCounted } from '../copies/progress.js';
import { stopSignal } from '../copies/stopped.js';
import { loadConfig } from '../load-config.js';
import { withDatabase } from '../with-database.js';
import { writeWholeFolder } from './whole-folder.js';

const create = new Command('create')
  .description('Create a user in an organization.')
  .requiredOption('--org <slug>', 'Slug of the organization', value)
  .requiredOption('--email <address>', 'E-mail address, unique in the service', value)
  .option('--name <name>', 'Display name', nameValue)
  .addOption(new Option('--role <role>', 'Role within the organization').choices(['admin', 'member']).default('member'))
  .action(async ({ org, email, name, role }) => {
    await withDatabase(async (database) => {
      const user = await createUser(database, {
        organizationSlug: org,
        email,
        name: name ?? null,
        role,
      });
      console.log(`${user.id} ${user.email}`);
    });
  });

const list = new Command('list')
  .description('List the users of an organization, present and removed, one line each.')
  .requiredOption('--org <slug>', 'Slug of the organization', value)
  .action(async ({ org }) => {
    await withDatabase(async (database) => {
      const { id: organizationId } = await findOrganization(database, org);
      const select = { id: true, email: true, name: true, role: true, removedAt: true };
      const users = await database.user.findMany({ where: { organizationId }, orderBy: { id: 'asc' }, select });
      for (const { id, email, name, role, removedAt } of users) {
        const state = removedAt ? `removed ${removedAt.toISOString().slice(0, 10)}` : role;
        console.log([id, email, state, ...(name === null ? [] : [onOneLine(name)])].join('  '));
      }
    });
  });

const signInLink = new Command('sign-in-link')
  .description('Print a link that signs a user in once and lets them choose a password. It replaces the previous link.')
  .requiredOption('--email <address>', 'E-mail address of the user', value)
  .action(async ({ email }) => {
    const { publicUrl } = loadConfig().config;
    await withDatabase(async (database) => {
      const user = await findUser(database, email);
      const link = await issueSignInLink(database, { userId: user.id, publicUrl });
      console.log(link.url);
    });
  });

const remove = new Command('delete')
  .description('Delete a user, present or removed, with their threads, attachments, ratings, tokens and sessions.')
  .requiredOption('--email <address>', 'E-mail address of the user', value)
  .addOption(yes())
  .action(async ({ email, yes: isSaid }) => {
    await withDatabase(async (database) => {
      const user = await findUserOrRemoved(database, email);
      await requireOtherAdministrator(database, user);
      const { id } = user;
      const threads = await database.thread.count({ where: { ownerId: id } });
      requireYes(isSaid, `${email} with ${counted(threads, 'thread')}`);
      const deleted = await whileCounted(
        (done) => `${done} of ${counted(threads, 'thread')}`,
        (onThreads) => deleteUser(database, id, { onThreads }),
      );
      console.log(`Deleted ${email} with ${counted(deleted, 'thread')}.`);
    });
  });

const exportData = new Command('export')
  .description(
    'Write everything that is stored about a user into a new folder: JSON Lines and attachments, no secrets.',
  )
  .requiredOption('--email <address>', 'E-mail address of the user, present or removed', value)
  .requiredOption('--to <folder>', 'Folder to create', value)
  .action(async ({ email, to }) => {
    const signal = stopSignal();
    await withDatabase(async (database) => {
      const { id: userId } = await findUserOrRemoved(database, email);
      const counts = await whileCounted(
        (done) => counted(done, 'record'),
        (onRecords) => writeWholeFolder(to, (folder) => exportUser(database, { userId, folder, onRecords, signal })),
      );
      console.log(
        Object.entries(counts)
          .map(([type, count]) => `${count} ${type}`)
          .join(', '),
      );
    });
  });

export const userCommand = new Command('user')
  .description('Manage users.')
  .addCommand(create)
  .addCommand(list)
  .addCommand(signInLink)
  .addCommand(exportData)
  .addCommand(remove);

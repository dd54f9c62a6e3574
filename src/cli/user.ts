import { Command, Option } from '@commander-js/extra-typings';
import { createUser, findUser } from '../modules/identity/provision.js';
import { issueSignInLink } from '../modules/identity/sign-in-link.js';
import { value } from './command-line.js';
import { loadConfig } from './load-config.js';
import { withDatabase } from './with-database.js';

const create = new Command('create')
  .description('Create a user in an organization.')
  .requiredOption('--org <slug>', 'Slug of the organization', value)
  .requiredOption('--email <address>', 'E-mail address, unique in the service', value)
  .option('--name <name>', 'Display name', value)
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

export const userCommand = new Command('user').description('Manage users.').addCommand(create).addCommand(signInLink);

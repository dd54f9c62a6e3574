import { Command } from '@commander-js/extra-typings';
import { createOrganization } from '../modules/identity/provision.js';
import { value } from './command-line.js';
import { withDatabase } from './with-database.js';

const create = new Command('create')
  .description('Create an organization.')
  .requiredOption('--slug <slug>', 'URL-safe name, unique in the service', value)
  .requiredOption('--name <name>', 'Display name', value)
  .action(async ({ slug, name }) => {
    await withDatabase(async (database) => {
      const organization = await createOrganization(database, { slug, name });
      console.log(`${organization.id} ${organization.slug}`);
    });
  });

export const orgCommand = new Command('org').description('Manage organizations.').addCommand(create);

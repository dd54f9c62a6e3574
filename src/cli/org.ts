import { defineCommand } from 'citty';
import { createOrganization } from '../modules/identity/provision.js';
import { withDatabase } from './with-database.js';

const create = defineCommand({
  meta: { name: 'create', description: 'Create an organization.' },
  args: {
    slug: { type: 'string', required: true, description: 'URL-safe name, unique in the service' },
    name: { type: 'string', required: true, description: 'Display name' },
  },
  async run({ args }) {
    await withDatabase(async (database) => {
      const organization = await createOrganization(database, { slug: args.slug, name: args.name });
      console.log(`${organization.id} ${organization.slug}`);
    });
  },
});

export const orgCommand = defineCommand({
  meta: { name: 'org', description: 'Manage organizations.' },
  subCommands: { create },
});

import { defineCommand } from 'citty';
import { createUser } from '../modules/identity/provision.js';
import { withDatabase } from './with-database.js';

const create = defineCommand({
  meta: { name: 'create', description: 'Create a user of an organization.' },
  args: {
    org: { type: 'string', required: true, description: 'Slug of the organization' },
    email: { type: 'string', required: true, description: 'E-mail address, unique in the service' },
    name: { type: 'string', description: 'Display name' },
    role: {
      type: 'enum',
      options: ['admin', 'member'],
      default: 'member',
      description: 'Role within the organization',
    },
  },
  async run({ args }) {
    await withDatabase(async (database) => {
      const role = args.role === 'admin' ? 'admin' : 'member';
      const user = await createUser(database, {
        organizationSlug: args.org,
        email: args.email,
        name: args.name ?? null,
        role,
      });
      console.log(`${user.id} ${user.email}`);
    });
  },
});

export const userCommand = defineCommand({
  meta: { name: 'user', description: 'Users.' },
  subCommands: { create },
});

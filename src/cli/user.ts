import { defineCommand } from 'citty';
import { createUser, findUser } from '../modules/identity/provision.js';
import { issueSignInLink } from '../modules/identity/sign-in-link.js';
import { loadConfig } from './load-config.js';
import { withDatabase } from './with-database.js';

const create = defineCommand({
  meta: { name: 'create', description: 'Create a user in an organization.' },
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

const signInLink = defineCommand({
  meta: {
    name: 'sign-in-link',
    description:
      'Print a link that signs a user in once and lets them choose a password. It replaces the previous link.',
  },
  args: { email: { type: 'string', required: true, description: 'E-mail address of the user' } },
  async run({ args }) {
    const { publicUrl } = loadConfig().config;
    await withDatabase(async (database) => {
      const user = await findUser(database, args.email);
      const link = await issueSignInLink(database, { userId: user.id, publicUrl });
      console.log(link.url);
    });
  },
});

export const userCommand = defineCommand({
  meta: { name: 'user', description: 'Manage users.' },
  subCommands: { create, 'sign-in-link': signInLink },
});

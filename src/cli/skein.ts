/** All commands of the command line. */
import { defineCommand } from 'citty';
import { migrateCommand } from './migrate.js';
import { orgCommand } from './org.js';
import { serveCommand } from './serve.js';
import { threadCommand } from './thread.js';
import { tokenCommand } from './token.js';
import { userCommand } from './user.js';

export const skein = defineCommand({
  meta: { name: 'skein', description: 'Conversation threads with an AI assistant over REST and GraphQL.' },
  subCommands: {
    serve: serveCommand,
    migrate: migrateCommand,
    org: orgCommand,
    user: userCommand,
    thread: threadCommand,
    token: tokenCommand,
  },
});

/** The command line: its table of contents. */
import { Command } from '@commander-js/extra-typings';
import { migrateCommand } from './migrate.js';
import { orgCommand } from './org.js';
import { serveCommand } from './serve.js';
import { threadCommand } from './thread.js';
import { tokenCommand } from './token.js';
import { userCommand } from './user.js';

export const skein = new Command('skein')
  .description('Conversation threads with an AI assistant over REST and GraphQL.')
  .addCommand(serveCommand)
  .addCommand(migrateCommand)
  .addCommand(orgCommand)
  .addCommand(userCommand)
  .addCommand(threadCommand)
  .addCommand(tokenCommand);

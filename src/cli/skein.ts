/** The command line: its table of contents. */
import { Command } from '@commander-js/extra-typings';
import { skeinVersion } from '../database/migrations/folder.js';
import { auditCommand } from './accounts/audit.js';
import { budgetCommand } from './accounts/budget.js';
import { orgCommand } from './accounts/org.js';
import { tokenCommand } from './accounts/token.js';
import { usageCommand } from './accounts/usage.js';
import { userCommand } from './accounts/user.js';
import { backupCommand } from './copies/backup.js';
import { importCommand } from './copies/import.js';
import { moveCommand } from './copies/move.js';
import { restoreCommand } from './copies/restore.js';
import { migrateCommand } from './migrate.js';
import { modelCommand } from './model.js';
import { serveCommand } from './serve.js';
import { threadCommand } from './thread.js';

export const skein = new Command('skein')
  .version(skeinVersion(), '-V, --version', 'print the version of Skein')
  .description('Conversation threads with an AI assistant over REST and GraphQL.')
  .addCommand(serveCommand)
  .addCommand(migrateCommand)
  .addCommand(backupCommand)
  .addCommand(restoreCommand)
  .addCommand(moveCommand)
  .addCommand(orgCommand)
  .addCommand(userCommand)
  .addCommand(threadCommand)
  .addCommand(importCommand)
  .addCommand(tokenCommand)
  .addCommand(modelCommand)
  .addCommand(auditCommand)
  .addCommand(usageCommand)
  .addCommand(budgetCommand);

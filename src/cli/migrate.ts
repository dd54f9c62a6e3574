import { Command } from '@commander-js/extra-typings';
import { withDatabase } from './with-database.js';

export const migrateCommand = new Command('migrate')
  .description('Apply all pending migrations. `serve` does this at its start.')
  .action(async () => {
    await withDatabase(async () => {
      console.log('The database is up to date.');
    });
  });

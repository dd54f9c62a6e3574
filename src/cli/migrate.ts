import { defineCommand } from 'citty';
import { withDatabase } from './with-database.js';

export const migrateCommand = defineCommand({
  meta: {
    name: 'migrate',
    description: 'Apply all pending migrations. `serve` does this at its start.',
  },
  async run() {
    await withDatabase(async () => {
      console.log('The database is up to date.');
    });
  },
});

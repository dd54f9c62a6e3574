import { defineCommand } from 'citty';
import { withDatabase } from './with-database.js';

export const migrateCommand = defineCommand({
  meta: {
    name: 'migrate',
    description: 'Bring the database to the schema of this version. `serve` does so by itself.',
  },
  async run() {
    await withDatabase(async () => {
      console.log('The database has the schema of this version.');
    });
  },
});

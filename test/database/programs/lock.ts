/** Takes the lock of a data directory and keeps it until its standard input ends: `lock.ts DATA_DIR`. Says "locked" or "refused". */
import { lockInstance } from '../../../src/database/embedded/instance-lock.js';
import { DatabaseStartError } from '../../../src/database/embedded/start-error.js';

const [dataDir = ''] = process.argv.slice(2);
try {
  await lockInstance({ dataDir, purpose: 'serve' });
  process.stdout.write('locked\n');
  process.stdin.resume();
} catch (error) {
  if (!(error instanceof DatabaseStartError)) throw error;
  process.stdout.write('refused\n');
}

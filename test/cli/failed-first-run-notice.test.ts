/** The firstRunNotice comes when the service serves already: a process that stayed after its failure would never say where. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { withinMs } from '../../src/platform/async/time-limit.js';
import { createTestDatabase } from '../support/database/database.js';
import { runSql } from '../support/server.js';
import { end, start } from './program.js';

describe('a database that fails during the lookup of the first administrator', () => {
  it('ends the service with status 1 and one line that says so', async () => {
    await using database = await createTestDatabase();
    await runSql(database.url, 'ALTER TABLE organization RENAME TO elsewhere');
    const program = start(['serve'], { DATABASE_URL: database.url, PORT: '0' });
    onTestFinished(() => end(program, 'SIGKILL').then(() => undefined));
    // Undefined: it still runs.
    expect(await withinMs(50_000, program.ended), program.stderr).toBe(1);
    const fatal = program.stderr.split('\n').filter((line) => line.includes('"level":60'));
    expect(fatal.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'the service could not start' }]);
    expect(program.stderr).not.toContain('serving REST');
    expect(program.stdout).toBe('');
  }, 60_000);
});

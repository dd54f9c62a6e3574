import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { affordableConnections } from '../../src/platform/server/open-files.js';

/** The connections of a process that wants 10,000 of them and may open so many files, and what it logs. */
function connectionsWith(openFiles: number) {
  const logged: string[] = [];
  const logger = pino({ base: null }, { write: (line) => void logged.push(JSON.parse(line).msg) });
  return { connections: affordableConnections(10_000, logger, openFiles), logged };
}

describe('a process', () => {
  it('takes as many connections as it wants where the system lets it open enough files', () => {
    for (const openFiles of [10_200, Number.POSITIVE_INFINITY])
      expect(connectionsWith(openFiles)).toEqual({ connections: 10_000, logged: [] });
  });

  it.each([
    [4096, 3896],
    [100, 25],
  ])('that may open %i files takes %i connections, and says what to do', (openFiles, connections) => {
    const logged = [expect.stringContaining('raise its limit (ulimit -n), or lower MAX_CONNECTIONS')];
    expect(connectionsWith(openFiles)).toEqual({ connections, logged });
  });

  it('knows the limit of the system', async () => {
    const program = `import { affordableConnections } from './src/platform/server/open-files.ts';
      console.log(affordableConnections(10000, { warn: () => undefined }));`;
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -n 1000; exec "$0" "$@"', ...node]);
    expect(stdout).toBe('800\n');
  });
});

/** The single process and its own PostgreSQL, which its supervisor brings back: nobody has to start anything again. */
import { describe, expect, it } from 'vitest';
import { type ProgramStage, startProgram } from './stage/program-stage.js';
import { sufferOutage } from './stage/suffer-outage.js';

interface ProgramOutage {
  name: string;
  begin: (program: ProgramStage) => Promise<void>;
  end?: (program: ProgramStage) => void;
  lastsMs?: number;
}

async function suffer({ name, begin, end, lastsMs = 0 }: ProgramOutage): Promise<void> {
  await using started = await startProgram();
  await sufferOutage(started.stage, {
    name: `program: ${name}`,
    begin: () => begin(started),
    end: async () => end?.(started),
    lastsMs,
  });
  expect(started.program.isAlive, 'the process that was there before').toBe(true);
}

describe('the single process answers 503, loses no response and recovers if its PostgreSQL', () => {
  it.concurrent.each(['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)('is ended by %s', { timeout: 240_000 }, (signal) =>
    suffer({ name: signal, begin: (program) => program.signal(signal) }),
  );

  it.concurrent('freezes for longer than any limit', { timeout: 240_000 }, () =>
    suffer({
      name: 'frozen',
      begin: (program) => program.freeze(),
      end: (program) => program.thaw(),
      lastsMs: 8_000,
    }),
  );
});

/** The single process and its own PostgreSQL, which its supervisor brings back: nobody has to start anything again. */
import { expect, it } from 'vitest';
import { type ProgramStage, startProgram } from './stage/program-stage.js';
import { sufferOutage } from './stage/suffer-outage.js';

interface ProgramOutage {
  name: string;
  begin: (program: ProgramStage) => Promise<void>;
  end?: (program: ProgramStage) => void;
  lastsMs?: number;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGKILL'] as const;
const outages: ProgramOutage[] = [
  ...signals.map((name) => ({ name, begin: (program: ProgramStage) => program.signal(name) })),
  { name: 'frozen', begin: (program) => program.freeze(), end: (program) => program.thaw(), lastsMs: 8_000 },
];

it('the single process answers 503, loses no response and recovers if its PostgreSQL is ended by a signal or freezes for longer than any limit', {
  timeout: 480_000,
}, async () => {
  await using started = await startProgram();
  for (const { name, begin, end, lastsMs = 0 } of outages) {
    await sufferOutage(started.newStage(), {
      name: `program: ${name}`,
      begin: () => begin(started),
      end: async () => end?.(started),
      lastsMs,
    });
    const { exitCode, signalCode } = started.program.child;
    expect([exitCode, signalCode], 'the process that was there before').toEqual([null, null]);
  }
});

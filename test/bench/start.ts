/**
 * What the program takes as `npm start` runs it, with the embedded database: how long it needs to serve from a data directory that
 * is there, and its memory at rest, and after a load of lists and turns. The database's own processes are not counted.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/network/free-port.js';
import type { Bench, Row } from './bench.js';
import { load } from './measuring/http-load.js';
import { median } from './measuring/statistics.js';
import { takeTurns } from './measuring/turn-load.js';
import type { BenchPerson } from './stage/seed.js';
import { beyondReach, flagsOfStart } from './stage/stage.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const start: Bench = {
  name: 'start',
  summary: 'from the command to the first answer, and the memory of the program at rest and after a load',
  async run({ stage, scale, progress }) {
    const { starts, restMs, loadMs } = scale.start;
    const model = await stage.startProgram('model.ts');
    const environment = {
      ...beyondReach,
      DATA_DIR: stage.dataDirectory(),
      AI_MODEL: 'compatible:scripted',
      AI_BASE_URL: `${model.url}/v1`,
    };
    progress('the first start, which makes the database');
    const first = await stage.startService({ environment });
    const person = await first.ask<BenchPerson>('person', 'start');
    await first.end();
    const tookMs: number[] = [];
    for (let count = 1; count < starts; count += 1) {
      progress(`start ${count} of ${starts}`);
      const program = await startProgram(environment);
      tookMs.push(program.tookMs);
      await program.end();
    }
    const program = await startProgram(environment);
    tookMs.push(program.tookMs);
    try {
      progress('at rest');
      await sleep(restMs);
      const atRestMB = await residentMB(program.url);
      progress('lists and turns');
      await work(`${program.url}/api/v1`, person.token, loadMs);
      return [
        startRow(tookMs),
        memoryRow('at rest', atRestMB, 180),
        memoryRow('after lists and turns', await residentMB(program.url), 350),
      ];
    } finally {
      await program.end();
    }
  },
};

interface Program {
  url: string;
  /** From the command to the first answer that it is ready. */
  tookMs: number;
  end(): Promise<void>;
}

async function startProgram(environment: Record<string, string>): Promise<Program> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...flagsOfStart, 'scripts/launch.mjs', 'serve'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      LOG_LEVEL: 'error',
      PORT: String(port),
      ...environment,
    },
    stdio: 'ignore',
  });
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode} before it served.`);
    await sleep(5);
  }
  return { url, tookMs: performance.now() - startedMs, end: () => end(child) };
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Turns of new threads, and then their lists. */
async function work(url: string, token: string, durationMs: number): Promise<void> {
  await takeTurns({ url, token }, { atATime: 16, durationMs });
  await load({ url: `${url}/threads?limit=50`, token }, { connections: 16, durationMs });
}

async function residentMB(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(text)?.[1]) / 1e6;
}

function startRow(tookMs: readonly number[]): Row {
  const measured = median(tookMs);
  const all = tookMs.map((ms) => ms.toFixed(0)).join(', ');
  return {
    what: 'on a data directory that is there',
    ours: `${measured.toFixed(0)} ms of ${all}`,
    baseline: '',
    limit: 1500,
    measured,
  };
}

function memoryRow(when: string, measured: number, limit: number): Row {
  return { what: `memory ${when}`, ours: `${measured.toFixed(0)} MB`, baseline: '', limit, measured, unit: 'MB' };
}

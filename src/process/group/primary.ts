/**
 * The primary process of a group: it owns the database, applies the migrations, and keeps the processes running that
 * serve. `node:cluster` accepts the connections here, and passes them to the processes in turns.
 */
import type { Logger } from 'pino';
import type { Config } from '../../config.js';
import { migrate } from '../../database/migrations/migrate.js';
import { openDatabase } from '../open-database.js';
import { cleanupOnFailure, type ShutdownStack } from '../shutdown-stack.js';
import { type Membership, ProcessGroupError, type ToMember } from './messages.js';
import { SupervisedProcess } from './supervised-process.js';

export interface GroupOptions {
  config: Config;
  logger: Logger;
  /** Time that a process takes to end, in addition to the grace period of running responses. */
  shutdownTimeoutMs: number;
}

export interface RunningGroup {
  url: string;
  /** Rejects with a `ProcessGroupError` if a process is given up. */
  supervised: Promise<unknown>;
  /** Stops all processes as `RunningService.stop` does, then the database. */
  stop(graceMs: number, drainMs?: number): Promise<void>;
  /** The part that `stop` is waiting for. */
  readonly ending: string | null;
}

export function startGroup(options: GroupOptions): Promise<RunningGroup> {
  return cleanupOnFailure(options.logger, (shutdown) => start(options, shutdown));
}

async function start({ config, logger, shutdownTimeoutMs }: GroupOptions, shutdown: ShutdownStack) {
  const { close, ...database } = await openDatabase(config, logger);
  shutdown.add('the database', close);
  await migrate({ url: database.directUrl, isDirect: database.isPooled, logger });
  const group = Array.from({ length: config.processes }, (_, index) => new SupervisedProcess(index + 1, logger));
  for (const each of group) attend(each, group, database);
  const stopped = new AbortController();
  let ended: Promise<void> | undefined;
  const end = (how: ToMember['end']) => {
    stopped.abort();
    ended ??= endAll(group, how, how.graceMs + shutdownTimeoutMs);
    return ended;
  };
  shutdown.add('the processes', () => end({ drainMs: 0, graceMs: 0 }));
  // However this process ends, none of the others stays behind.
  process.once('exit', () => {
    for (const each of group) each.kill('SIGKILL');
  });
  return {
    url: await startAll(group),
    supervised: Promise.all(group.map((each) => each.supervise(stopped.signal))),
    stop: (graceMs: number, drainMs = 0) => {
      // The stack, which ends the processes first, waits for the end that begins here.
      void end({ drainMs, graceMs });
      return shutdown.end();
    },
    get ending() {
      return shutdown.ending;
    },
  };
}

/** The first process starts alone, so that what prevents every start is reported once. */
async function startAll([first, ...others]: readonly SupervisedProcess[]): Promise<string> {
  const url = (await first?.start()) ?? '';
  await Promise.all(others.map((each) => each.start()));
  return url;
}

/** Throws if one did not end cleanly. */
async function endAll(group: readonly SupervisedProcess[], how: ToMember['end'], limitMs: number): Promise<void> {
  const clean = await Promise.all(group.map((each) => each.end(how, limitMs)));
  const unclean = group.filter((_, index) => !clean[index]).map(({ number }) => number);
  if (unclean.length > 0) throw new ProcessGroupError(`these processes did not end cleanly: ${unclean.join(', ')}`);
}

/** Tells a process what it asks for, and the others where it serves. */
function attend(one: SupervisedProcess, group: readonly SupervisedProcess[], database: Membership['database']): void {
  const tellPorts = () => {
    const ports = group.flatMap(({ number, serving }) => (serving ? [[number, serving.privatePort] as const] : []));
    for (const each of group) each.tell('ports', ports);
  };
  one.said.on('serving', tellPorts).on('ended', tellPorts);
  one.said.on('ready', () => one.tell('join', membershipOf(one, database)));
  one.said.on('gather', async () => one.tell('gathered', await Promise.all(group.map((each) => each.measure()))));
}

function membershipOf({ number, replaced }: SupervisedProcess, database: Membership['database']): Membership {
  const isFirst = number === 1 && replaced === 0;
  const startsAlone = isFirst && database.exclusive;
  return { number, replaced, database: { ...database, startsAlone, exclusive: false }, printsFirstRunNotice: isFirst };
}

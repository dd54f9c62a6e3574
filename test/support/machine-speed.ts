/**
 * Limits on time that hold on any machine. A limit is given in milliseconds of an idle machine like the one it was set on, and what a
 * test measures is divided by how much slower a fixed piece of ordinary work is beside it, on the same processor at the same
 * moment. A faster machine changes nothing, so no limit is ever wider than it says on a machine that is idle.
 */
import { performance } from 'node:perf_hooks';

/** What the fixed work takes on the idle machine: the processor's time, which is also the clock's there. */
const idleMs = 6;

const nested = '['.repeat(50_000) + ']'.repeat(50_000);

/**
 * Reads, sorts and writes some JSON, as a request does, and reads some that keeps memory and the collector of garbage busy: a
 * neighbour's load slows those down most. It gives its result so that it cannot be optimized away.
 */
function fixedWork(): number {
  const [deep] = JSON.parse(nested) as unknown[];
  const items = Array.from({ length: 600 }, (_, n) => ({
    id: `item_${(n * 7919) % 600}`,
    text: 'word '.repeat(n % 20),
  }));
  const read = JSON.parse(JSON.stringify(items)) as typeof items;
  read.sort((one, other) => (one.id < other.id ? -1 : 1));
  const words = new Map<string, number>();
  for (const { id, text } of read) for (const word of `${id} ${text}`.split(/\W+/)) words.set(word, word.length);
  return JSON.stringify([...words]).length + Number(Array.isArray(deep));
}

/** The processor's time of this process. */
export function processorMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

let isWarm = false;

function timeFixedWork(): { processor: number; clock: number } {
  // The first rounds are compiled, which takes longer than the work.
  for (let round = 0; round < 20 && !isWarm; round += 1) fixedWork();
  isWarm = true;
  const [before, startedMs] = [process.cpuUsage(), performance.now()];
  fixedWork();
  return { processor: processorMs(before), clock: performance.now() - startedMs };
}

/** How many times slower the processor is at this moment than an idle one; at least 1. Of two rounds, the one that is held up less. */
export function processorSlowdown(): number {
  const rounds = [timeFixedWork(), timeFixedWork()];
  return Math.max(1, Math.min(...rounds.map(({ processor }) => processor)) / idleMs);
}

/** Rounds of the fixed work that tell how slow the machine is. */
const enough = 3;

interface Measured<Result> {
  result: Result;
  /** Of the best try, in milliseconds of an idle machine. */
  ms: number;
}

/**
 * For how long this process is busy with some work: for as long as its event loop is, but not for longer than it was on a processor,
 * because other processes are not what is measured. Tries until that is less than `belowMs`, by the best try and by how slow the
 * machine was meanwhile.
 */
export async function leastBusyMs<Result>(
  work: () => Result | Promise<Result>,
  { belowMs, tries = 20 }: { belowMs: number; tries?: number },
): Promise<Measured<Result>> {
  let leastMs = Number.POSITIVE_INFINITY;
  const slowdowns: number[] = [];
  for (let count = 1; ; count += 1) {
    const [loop, processor] = [performance.eventLoopUtilization(), process.cpuUsage()];
    const result = await work();
    leastMs = Math.min(leastMs, performance.eventLoopUtilization(loop).active, processorMs(processor));
    if (leastMs < belowMs) return { result, ms: leastMs };
    slowdowns.push(processorSlowdown());
    // The middle one, so that a moment's hold-up of the fixed work excuses nothing.
    const ms = leastMs / medianOf(slowdowns);
    if ((ms < belowMs && count >= enough) || count >= tries) return { result, ms };
  }
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 1;
}

const lookMs = 200;

/** Measures how many times slower than when idle the machine is while something runs, by the clock. */
export class MachineWatch {
  readonly #timer = setInterval(() => this.#look(), lookMs);
  #looks = 0;
  #sum = 0;

  constructor() {
    this.#look();
  }

  #look(): void {
    this.#looks += 1;
    this.#sum += Math.max(1, timeFixedWork().clock / idleMs);
  }

  /** On average, since it began to watch; at least 1. */
  get slowdown(): number {
    return this.#sum / this.#looks;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

/** The least that some tries measure by the clock, in milliseconds of an idle machine. Tries until one takes less than `belowMs`. */
export async function leastClockMs(
  attempt: () => Promise<number>,
  { belowMs, tries }: { belowMs: number; tries: number },
): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let count = 0; count < tries && best >= belowMs; count += 1) {
    using watch = new MachineWatch();
    best = Math.min(best, (await attempt()) / watch.slowdown);
  }
  return best;
}

/**
 * Compares two sides in short alternating rounds, so that other load on the machine affects both. The ratio is the median of
 * the rounds' ratios; the figures are those of all rounds together.
 */
import { type LoadResult, load, type Question } from './http-load.js';
import { median, quantile } from './statistics.js';

export interface Rounds {
  rounds: number;
  roundMs: number;
  connections: number;
  /** Requests before the first round, because code that runs for the first time is not compiled yet. */
  warmUp: number;
}

export interface CompareSettings extends Rounds {
  /** Waits until what our round has left behind is done, so that the baseline does not meet it. */
  settle?: () => Promise<void>;
}

export interface Figures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Comparison {
  ours: Figures;
  baseline: Figures;
  /** How many times the baseline does what we do, in the same time. */
  ratio: number;
  /** The lowest and the highest ratio of a round. */
  spread: readonly [number, number];
}

/** Loads one side for one round. */
export type Round = () => Promise<LoadResult>;

/** Compares two requests, each asked until the round is over. */
export async function compare(ours: Question, baseline: Question, settings: CompareSettings): Promise<Comparison> {
  const { settle } = settings;
  const options = { connections: settings.connections, durationMs: settings.roundMs };
  const roundOf = (question: Question) => async () => {
    const result = await load(question, options);
    await settle?.();
    return result;
  };
  await warmUp(ours, settings);
  await settle?.();
  await warmUp(baseline, settings);
  return compareRounds(roundOf(ours), roundOf(baseline), settings.rounds);
}

/** Compares two sides that are warm. */
export async function compareRounds(ours: Round, baseline: Round, rounds: number): Promise<Comparison> {
  const pairs: { ours: LoadResult; baseline: LoadResult }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The order changes from round to round: the second of a pair finds a warmer machine.
    const first = await (round % 2 === 0 ? ours : baseline)();
    const second = await (round % 2 === 0 ? baseline : ours)();
    pairs.push(round % 2 === 0 ? { ours: first, baseline: second } : { ours: second, baseline: first });
  }
  const ratios = pairs.map((pair) => pair.baseline.perSecond / pair.ours.perSecond);
  return {
    ours: figuresOf(pairs.map((pair) => pair.ours)),
    baseline: figuresOf(pairs.map((pair) => pair.baseline)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

/** Asks as often as the settings say, but for no longer than two seconds. */
export async function warmUp(question: Question, settings: Pick<Rounds, 'connections' | 'warmUp'>): Promise<void> {
  const endMs = performance.now() + 2000;
  let asked = 0;
  while (asked < settings.warmUp && performance.now() < endMs) {
    const { latenciesMs } = await load(question, { connections: settings.connections, durationMs: 100 });
    asked += latenciesMs.length;
  }
}

export function figuresOf(results: readonly LoadResult[]): Figures {
  const latenciesMs = results.flatMap((result) => result.latenciesMs);
  return {
    perSecond: median(results.map((result) => result.perSecond)),
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}

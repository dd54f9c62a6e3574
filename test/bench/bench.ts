/** What a benchmark is: it runs on the stage and gives rows for the table. */
import type { Rounds } from './measuring/compare.js';
import type { Attack } from './programs/attacker.js';
import type { Stage } from './stage/stage.js';

/** One line of the table. */
export interface Row {
  what: string;
  ours: string;
  /** Empty where there is nothing to compare with. */
  baseline: string;
  /** How many times dearer we are than the baseline. */
  ratio?: number;
  /** The lowest and the highest ratio of a round. */
  spread?: readonly [number, number];
  /** The most that `measured`, or the ratio where that is left out, may be. */
  limit?: number;
  /** The least that `measured` may be. */
  least?: number;
  measured?: number;
  /** Of `measured`; milliseconds where it is left out. */
  unit?: string;
}

/** How much load, and for how long. */
export interface Scale {
  seed: { threads: number; messages: number };
  requests: Rounds;
  turns: { rounds: number; roundMs: number; tokens: number };
  size: { threads: number; requests: Rounds };
  soak: { seconds: number; turnsPerSecond: number };
  /** `atOnce`: how many tokens of each response the model says at once, in so many rounds. */
  tokens: { responses: number; perSecond: number; tokens: number; atOnce: number; rounds: number };
  viewers: { viewers: number; perSecond: number; tokens: number };
  start: { starts: number; restMs: number; loadMs: number };
  /** Rounds with and without the attack take turns. */
  share: { rounds: number; roundMs: number; attack: Omit<Attack, 'url' | 'tokens'> };
  /** `answers` are those whose first tokens count; `tokens` is the length of the one whose frames count. */
  web: { answers: number; perSecond: number; tokens: number };
}

export interface BenchContext {
  stage: Stage;
  scale: Scale;
  /** Says what is measured now. */
  progress: (what: string) => void;
}

export interface Bench {
  name: string;
  /** One line for `--help` and above the table. */
  summary: string;
  run(context: BenchContext): Promise<Row[]>;
}

export const fullScale: Scale = {
  seed: { threads: 2000, messages: 50 },
  requests: { rounds: 6, roundMs: 350, connections: 16, warmUp: 1500 },
  turns: { rounds: 6, roundMs: 1500, tokens: 20 },
  size: { threads: 10_000, requests: { rounds: 4, roundMs: 500, connections: 1, warmUp: 20 } },
  soak: { seconds: 3600, turnsPerSecond: 3 },
  tokens: { responses: 100, perSecond: 50, tokens: 300, atOnce: 200, rounds: 7 },
  viewers: { viewers: 1000, perSecond: 50, tokens: 500 },
  start: { starts: 5, restMs: 10_000, loadMs: 10_000 },
  share: {
    rounds: 3,
    roundMs: 8000,
    attack: { uploads: 32, followers: 990, responses: 64, streams: 300, pipelined: 5000 },
  },
  web: { answers: 30, perSecond: 200, tokens: 4000 },
};

/** Enough to see that everything runs; the figures mean nothing. */
export const quickScale: Scale = {
  seed: { threads: 60, messages: 50 },
  requests: { rounds: 1, roundMs: 20, connections: 2, warmUp: 10 },
  turns: { rounds: 1, roundMs: 20, tokens: 20 },
  size: { threads: 100, requests: { rounds: 1, roundMs: 20, connections: 1, warmUp: 2 } },
  soak: { seconds: 3, turnsPerSecond: 10 },
  tokens: { responses: 3, perSecond: 50, tokens: 10, atOnce: 10, rounds: 1 },
  viewers: { viewers: 5, perSecond: 50, tokens: 10 },
  start: { starts: 1, restMs: 20, loadMs: 20 },
  share: { rounds: 1, roundMs: 500, attack: { uploads: 2, followers: 5, responses: 3, streams: 2, pipelined: 20 } },
  web: { answers: 2, perSecond: 200, tokens: 200 },
};

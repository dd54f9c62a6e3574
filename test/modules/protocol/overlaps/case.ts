/** What a case of the model of overlapping transactions is made of: how each thread begins, and what each actor does. */
import fc from 'fast-check';

/** `lost`: active, under a lease that has run out. */
export type Beginning = 'ready' | 'interrupted' | 'active' | 'lost' | 'waiting';

/** How often each is chosen: most often what has broken threads before. */
const weights = {
  stop: 4,
  resend: 5,
  claim: 5,
  send: 2,
  'send in slot': 3,
  'force stop': 1,
  resume: 1,
  succeed: 1,
  fail: 1,
  restart: 1,
  reclaim: 1,
  heartbeat: 1,
  release: 1,
  'fail unclaimed': 1,
};
export type Verb = keyof typeof weights;
const verbs = Object.keys(weights) as Verb[];

/** One transaction. `which` picks among the threads, the messages or the runs that there are by then, counted from the newest. */
export interface Transaction {
  verb: Verb;
  which: number;
  isKept: boolean;
}

export interface Case {
  threads: Beginning[];
  /** Whether statements can be held up at the first thread. */
  holdsUp: boolean;
  actors: Transaction[][];
  /** Which of the possible moves is made next; the first, where none is left. */
  picks: number[];
}

const threads = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Beginning>('waiting') },
    { weight: 1, arbitrary: fc.constantFrom<Beginning>('active', 'lost', 'ready', 'interrupted') },
  ),
  { minLength: 1, maxLength: 3 },
);

const transaction = fc.record({
  verb: fc.oneof(...verbs.map((verb) => ({ weight: weights[verb], arbitrary: fc.constant(verb) }))),
  which: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat({ max: 3 })),
  isKept: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
});

export const cases: fc.Arbitrary<Case> = fc.record({
  threads,
  holdsUp: fc.boolean(),
  actors: fc.array(fc.array(transaction, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 4 }),
  picks: fc.array(fc.nat({ max: 59 }), { minLength: 24, maxLength: 24 }),
});

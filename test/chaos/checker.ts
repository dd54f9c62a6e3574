/**
 * What must hold after any run, whatever was broken in it: the invariants by name, each with the sentences that say how it
 * was broken. What is to be seen of the processes themselves is in `node-health.ts`.
 */
import type { SendRecord } from './client.js';
import {
  atMostOneLiveResponse,
  epochsGrow,
  everyAnswerIsOfOneAttempt,
  everyPathIsLegal,
  everyResponseEnds,
  everySendIsStoredAsTold,
  everyStreamIsTheStoredText,
  noImpossiblePair,
  type Run,
} from './invariants.js';

export interface Figures {
  accepted: number;
  /** Responses with exactly one assistant message. */
  answeredOnce: number;
  failed: number;
  /** Stopped, or replaced by a newer message. */
  interrupted: number;
  refused: number;
  unknown: number;
  viewers: number;
  takeovers: number;
  restarts: number;
}

type Stored = Pick<Figures, 'answeredOnce' | 'failed' | 'interrupted' | 'takeovers' | 'restarts'>;
type Check = (run: Run) => Promise<string[]>;

const told =
  (rule: SendRecord['complaints'][number]['rule']): Check =>
  async ({ history }) =>
    history.flatMap(({ nonce, complaints }) =>
      complaints.filter((complaint) => complaint.rule === rule).map(({ text }) => `${nonce}: ${text}`),
    );

const invariants: Record<string, Check> = {
  'what was accepted is stored once, what was refused left nothing': everySendIsStoredAsTold,
  'a thread has one live response at most': atMostOneLiveResponse,
  'no thread contradicts its response': noImpossiblePair,
  'every message ends, once': everyResponseEnds,
  'succeeded means one answer, of one attempt': everyAnswerIsOfOneAttempt,
  'the states of a response form a legal path': everyPathIsLegal,
  'the epoch of a thread grows with each attempt': epochsGrow,
  'the tokens of a stream add up to the stored text': everyStreamIsTheStoredText,
  'whoever has seen done never reads less': told('read after done'),
  'two viewers see the same, and a resumed one without gap or repeat': told('viewers'),
  'every request is answered as the contract says': told('answers'),
};

/** The broken invariants, and the figures of the run. */
export async function checkRun(run: Run): Promise<{ broken: string[]; figures: Figures }> {
  const broken: string[] = [];
  for (const [name, check] of Object.entries(invariants)) {
    for (const sentence of await check(run)) broken.push(`${name} › ${sentence}`);
  }
  return { broken, figures: await figuresOf(run) };
}

async function figuresOf({ database, history }: Run): Promise<Figures> {
  const count = (outcome: SendRecord['outcome']) => history.filter((record) => record.outcome === outcome).length;
  const [stored] = await database.$queryRaw<Stored[]>`
    SELECT (SELECT count(*)::int FROM response r WHERE status = 'succeeded'
        AND (SELECT count(*) FROM message m WHERE m.reply_to_id = r.message_id) = 1) AS "answeredOnce",
      (SELECT count(*)::int FROM response WHERE status = 'failed') AS failed,
      (SELECT count(*)::int FROM response WHERE status = 'interrupted') AS interrupted,
      count(*) FILTER (WHERE what = 'taken_over')::int AS takeovers,
      count(*) FILTER (WHERE what = 'restarted')::int AS restarts
    FROM thread_event`;
  return {
    accepted: count('accepted'),
    refused: count('refused'),
    unknown: count('unknown'),
    viewers: history.reduce((sum, { viewers }) => sum + viewers, 0),
    ...(stored ?? { answeredOnce: 0, failed: 0, interrupted: 0, takeovers: 0, restarts: 0 }),
  };
}

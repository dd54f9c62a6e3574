/**
 * What the model says under chaos: each request gets an answer that begins and ends with a mark of its own and counts in
 * between, so that a text which mixes two attempts, or lacks a piece, shows itself. Some requests fail, as models do.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isStress } from '../support/case-counts.js';
import { breakConnection, httpError, type ModelScript, text, wait } from '../support/model/model-script.js';
import { type ModelServer, startModelServer } from '../support/model/model-server.js';

/** Each is written, carried to other nodes and shown, which is most of the work of a run. */
const words = isStress ? 30 : 12;

export interface ChaoticModelOptions {
  random: () => number;
  /** Share of the requests that fail before the text, and again of those that break in its middle. */
  faultRate: number;
  /** Share of the answers that take some seconds, so that a worker seldom dies or freezes without any. */
  slowRate: number;
}

/** The last word comes up to so long after the request, and those before it in proportion. */
const lengthMs = { quick: 1_200, slow: 7_500 };

export async function startChaoticModel(options: ChaoticModelOptions): Promise<ModelServer> {
  const model = await startModelServer();
  model.respond(() => scriptOf(options));
  return model;
}

function scriptOf({ random, faultRate, slowRate }: ChaoticModelOptions): ModelScript {
  const mark = randomBytes(6).toString('hex');
  if (random() < faultRate) return [httpError(random() < 0.5 ? 503 : 429)];
  const paceMs = (random() < slowRate ? lengthMs.slow : lengthMs.quick) / words;
  const breaksAt = random() < faultRate ? Math.floor(random() * words) : -1;
  const pieces = Array.from({ length: words }, (_, index) => [
    ...(index === breaksAt ? [breakConnection()] : []),
    wait(sleep(index * paceMs * random())),
    text(` ${index}`),
  ]);
  return [text(`<${mark}>`), ...pieces.flat(), text(` </${mark}>`)];
}

const counted = Array.from({ length: words }, (_, index) => ` ${index}`).join('');

/** What the attempt says in full whose text begins like this. */
function wholeAnswerOf(beginning: string): string {
  const mark = beginning.slice(1, 13);
  return `<${mark}>${counted} </${mark}>`;
}

/** True for the text of one whole attempt. */
export function isWholeAnswer(text: string): boolean {
  return text !== '' && text === wholeAnswerOf(text);
}

/** Whether the text is a beginning of what one attempt generates. */
export function isBeginningOfAnswer(text: string): boolean {
  return wholeAnswerOf(text).startsWith(text);
}

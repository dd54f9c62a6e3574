/**
 * What the model says under chaos: each request gets an answer that begins and ends with a mark of its own and counts in
 * between, so that a text which mixes two attempts, or lacks a piece, shows itself. Some requests fail, as models do.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { breakConnection, httpError, type ModelScript, text, wait } from '../support/model-script.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';

const words = 30;

/** `faultRate` is the share of requests that fail before the text, and again of those that break in its middle. */
export async function startChaoticModel(random: () => number, faultRate = 0.05): Promise<ModelServer> {
  const model = await startModelServer();
  model.respond(() => scriptOf(random, faultRate));
  return model;
}

function scriptOf(random: () => number, faultRate: number): ModelScript {
  const mark = randomBytes(6).toString('hex');
  if (random() < faultRate) return [httpError(random() < 0.5 ? 503 : 429)];
  const breaksAt = random() < faultRate ? Math.floor(random() * words) : -1;
  const pieces = Array.from({ length: words }, (_, index) => [
    ...(index === breaksAt ? [breakConnection()] : []),
    wait(sleep(index * 40 * random())),
    text(` ${index}`),
  ]);
  return [text(`<${mark}>`), ...pieces.flat(), text(` </${mark}>`)];
}

const whole = new RegExp(
  `^<([0-9a-f]{12})>${Array.from({ length: words }, (_, index) => ` ${index}`).join('')} </\\1>$`,
);

/** True for the text of one whole attempt. */
export function isWholeAnswer(answer: string): boolean {
  return whole.test(answer);
}

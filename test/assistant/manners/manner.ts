/** One way in which a model server answers, and what has to come of it. */
import type { GenerationErrorCode } from '../../../src/modules/responses/generation/processor.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { type AfterAnswer, type ModelScript, type ModelStep, rawAnswer } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';

export interface Manner {
  name: string;
  /** What the server answers to one call after the other; to all further ones, "Again." */
  answers: readonly ModelScript[];
  /** The text of the answer; with a code, of what is kept of it. */
  text?: string;
  code?: GenerationErrorCode;
  question?: { question: string; choices: readonly string[] };
  thinking?: string;
  isTruncated?: boolean;
  /** Calls of the model, 1 if nothing else is said. */
  calls?: number;
  /** Whether the model must not have been called before. */
  isFirst?: boolean;
  /** Whether it is one more form of a manner beside it: what differs is over when the answer has been read. */
  isForm?: boolean;
}

/** What comes of an answer: a text, unless it says more. */
export type Outcome = string | Omit<Manner, 'name' | 'answers'>;

/** What the service comes to with the next call, after one that was of no use. */
export const cut = { text: 'Again.', calls: 2 };

export function manner(name: string, outcome: Outcome, ...answers: ModelScript[]): Manner {
  return { name, answers, ...(typeof outcome === 'string' ? { text: outcome } : outcome) };
}

/** One that is alike but for how it is written. */
export const asForm = (one: Manner): Manner => ({ ...one, isForm: true });

/** A chunk as OpenAI describes it. */
export function chunk(delta: object, reason: string | null = null, more: object = {}): object {
  const choices = [{ index: 0, delta, finish_reason: reason }];
  return { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more };
}

export const say = (content: string): object => chunk({ content });
export const end = (reason: string): object => chunk({}, reason);
export const hello = say('Hello');
export const stop = end('stop');
export const done = '[DONE]';

/** Frames as events; a string is the data as it is. */
export function events(...frames: (object | string)[]): string {
  return frames.map((frame) => `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`).join('');
}

/** An answer of these frames. */
export function stream(...frames: (object | string)[]): ModelScript {
  return [rawAnswer(events(...frames))];
}

/** An answer of these frames, after which the connection does not end well. */
export function streamThen(then: AfterAnswer, ...frames: (object | string)[]): ModelScript {
  return [rawAnswer(events(...frames), { then })];
}

/** An answer byte for byte. */
export function bytes(...pieces: string[]): ModelScript {
  return [rawAnswer(pieces)];
}

/** A status with a body of JSON, or with the text as it is. */
export function status(code: number, body: object | string): ModelScript {
  const step: ModelStep = rawAnswer(typeof body === 'string' ? body : JSON.stringify(body), {
    status: code,
    type: typeof body === 'string' && body.startsWith('<') ? 'text/html' : 'application/json',
  });
  return [step];
}

/** An answer for each of so many calls. */
export function always(script: ModelScript, calls = 9): ModelScript[] {
  return Array.from({ length: calls }, () => script);
}

export const again = stream(say('Again.'), stop, done);

const create = `mutation ($text: String!, $model: ID) {
  createThread(input: { text: $text, model: $model }) { ... on PostedMessage { threadId messageId } } }`;

/** A thread whose message goes to a model of the list, or to the default one. */
export async function createThread({ graphql }: Person, model: string | null): Promise<Sent> {
  return (await graphql.data(create, { text: 'Hi', model })).createThread;
}

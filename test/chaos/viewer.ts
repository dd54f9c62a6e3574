/**
 * A viewer of one response as docs/streaming.md describes it, it resumes on whichever node answers, over either protocol,
 * until it has seen `done` or `error`. What it is shown is checked as it comes: an id counts the characters up to it, so a gap or a repeat across any
 * number of drops shows itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents } from '../support/clients/sse.js';
import { type Asking, ask, isLost, type Subscribed, subscribe } from './ask.js';
import { isBeginningOfAnswer } from './model.js';

const limitMs = 90_000;

export interface ViewerOptions extends Asking, Followed {
  /** Leaves now and then in the middle, and comes back elsewhere. */
  isRestless: boolean;
}

export class Viewer {
  /** What was shown of each attempt, by its epoch. */
  readonly shown = new Map<number, string>();
  readonly complaints: string[] = [];
  /** How the response ended; undefined where that was not learned in time. */
  end: 'done' | 'error' | undefined;
  readonly #options: ViewerOptions;
  #epoch = 0;
  #lastId: string | undefined;

  constructor(options: ViewerOptions) {
    this.#options = options;
  }

  /** The text that the viewer has in the end. */
  get text(): string {
    return this.shown.get(this.#epoch) ?? '';
  }

  /** Watches to the end, or until the limit. */
  async watch(): Promise<void> {
    const { random, isRestless } = this.#options;
    const untilMs = performance.now() + limitMs;
    while (this.end === undefined && performance.now() < untilMs) {
      const protocol = random() < 0.3 ? 'GraphQL' : 'REST';
      const { events, refusal } = await openStream[protocol](this.#options, this.#options, this.#lastId);
      if (refusal !== undefined) {
        this.complaints.push(refusal);
        return;
      }
      if (events) await this.#read(events, isRestless ? Math.floor(random() * 8) : Number.POSITIVE_INFINITY);
      if (this.end === undefined) await sleep(50 + random() * 200);
    }
    if (this.end === undefined)
      this.complaints.push(`the stream ended neither with done nor with error in ${limitMs} ms`);
    for (const [epoch, text] of this.shown) {
      if (!isBeginningOfAnswer(text))
        this.complaints.push(`epoch ${epoch} is not the beginning of one answer: "${text}"`);
    }
  }

  /** Leaves after so many events. */
  async #read(events: AsyncGenerator<ResponseEvent>, leavesAfter: number): Promise<void> {
    let count = 0;
    try {
      for await (const event of events) {
        this.#take(event);
        count += 1;
        if (count >= leavesAfter) return;
      }
    } catch (error) {
      if (!isLost(error)) throw error;
    }
  }

  #take({ kind, position, token }: ResponseEvent): void {
    this.#lastId = position;
    const [, epoch, place] = /^(\d+)-(\d+|end)/.exec(position) ?? [];
    if (kind === 'done' || kind === 'error') {
      this.end = kind;
      if (place !== 'end') this.complaints.push(`${kind} at ${position}`);
      if (kind === 'done' && Number(epoch) !== this.#epoch)
        this.complaints.push(`done of epoch ${epoch} after ${this.#epoch}`);
    } else if (kind === 'token') {
      this.#turnTo(Number(epoch));
      const text = this.text + token;
      this.shown.set(this.#epoch, text);
      if (text.length !== Number(place)) this.complaints.push(`${position} after ${text.length} characters: "${text}"`);
    } else if (kind === 'void') this.#turnTo(Number(epoch));
  }

  #turnTo(epoch: number): void {
    if (epoch < this.#epoch) this.complaints.push(`epoch ${epoch} after ${this.#epoch}`);
    this.#epoch = epoch;
  }
}

/** Where two viewers were shown different things: of each attempt, one has what the other has, or the beginning of it. */
export function differences(one: Viewer, other: Viewer): string[] {
  const epochs = [...one.shown.keys()].filter((epoch) => other.shown.has(epoch));
  const differing = epochs.filter((epoch) => {
    const [short = '', long = ''] = [one.shown.get(epoch), other.shown.get(epoch)].sort(
      (a = '', b = '') => a.length - b.length,
    );
    return !long.startsWith(short);
  });
  const texts = differing.map(
    (epoch) => `two viewers of epoch ${epoch} saw "${one.shown.get(epoch)}" and "${other.shown.get(epoch)}"`,
  );
  const hasOtherEnd = one.end !== undefined && other.end !== undefined && one.end !== other.end;
  return hasOtherEnd ? [...texts, `two viewers saw ${one.end} and ${other.end}`] : texts;
}

/** `void`: the text of an earlier attempt no longer counts. */
export interface ResponseEvent {
  kind: 'token' | 'void' | 'done' | 'error' | 'status';
  position: string;
  token: string;
}

export interface Followed {
  threadId: string;
  messageId: string;
}

type Opened = Promise<Subscribed<ResponseEvent>>;

interface GraphQLEvent {
  __typename: string;
  cursor: string;
  token?: string;
}

const query = `subscription ($messageId: ID!, $after: String) { event: responseEvents(messageId: $messageId, after: $after) {
  __typename ... on Positioned { cursor } ... on ResponseToken { token } } }`;

const kinds: Record<string, ResponseEvent['kind']> = {
  ResponseToken: 'token',
  ResponseRestarted: 'void',
  ResponseDone: 'done',
  ResponseError: 'error',
};

/**
 * Opens the stream behind a position over either protocol, as the same events: both have the same positions (docs/streaming.md).
 */
const openStream = { REST: openRest, GraphQL: openGraphQL };

async function openRest(asking: Asking, { threadId, messageId }: Followed, after?: string): Opened {
  const headers: Record<string, string> = after ? { 'last-event-id': after } : {};
  const response = await ask(asking, `/threads/${threadId}/messages/${messageId}/response/stream`, { headers });
  if (response?.status === 200 && response.body) return { events: restEvents(response.body) };
  if (!response || response.status >= 500) return {};
  return { refusal: `stream → ${response.status} ${await response.text()}` };
}

async function* restEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ResponseEvent> {
  for await (const { event, id = '', data } of readEvents(body)) {
    if (event === 'error' && !id.endsWith('-end')) yield { kind: 'void', position: id, token: '' };
    else yield { kind: event as 'token' | 'done' | 'error', position: id, token: String(data['token'] ?? '') };
  }
}

async function openGraphQL(asking: Asking, { messageId }: Followed, after?: string): Opened {
  const { events, refusal } = await subscribe<GraphQLEvent>(asking, { query, variables: { messageId, after } });
  if (refusal !== undefined) return { refusal };
  return events ? { events: graphqlEvents(events) } : {};
}

async function* graphqlEvents(events: AsyncGenerator<GraphQLEvent>): AsyncGenerator<ResponseEvent> {
  for await (const { __typename, cursor, token = '' } of events) {
    yield { kind: kinds[__typename] ?? 'status', position: cursor, token };
  }
}

/** Clients of one scripted response, who come, leave and come back with any cursor that they were given. */
import { expect } from 'vitest';
import type { ResponseEvent } from '../../../src/modules/responses/viewing/response-event.js';
import { parsePosition } from '../../../src/modules/tokens/log/position.js';
import { ScriptedResponse, type Viewing } from './scripted-response.js';

/** What a client has: the text of one attempt, emptied when it is told of a restart. */
interface Having {
  epoch: number;
  text: string;
}

export interface Client {
  viewing: Viewing;
  thinking: boolean;
  /** What it had when it came, from an earlier stream. */
  before: Having;
}

export class World {
  readonly response = new ScriptedResponse({ maxTotalBytes: 2000 });
  readonly clients: Client[] = [];
  #other = 0;

  join(thinking: boolean): void {
    this.clients.push({ viewing: this.response.watch({ thinking }), thinking, before: { epoch: 0, text: '' } });
  }

  viewing(which: number): Viewing | undefined {
    return this.clients[which % Math.max(1, this.clients.length)]?.viewing;
  }

  /** Another stream, from any cursor that a client was ever given. */
  resume(which: number, event: number, thinking: boolean): void {
    const client = this.clients[which % Math.max(1, this.clients.length)];
    const at = client && event % Math.max(1, client.viewing.seen.length);
    const cursor = at === undefined ? undefined : client?.viewing.seen[at]?.cursor;
    if (!client || at === undefined || cursor === undefined) return;
    const before = haveAfter(client, client.viewing.seen.slice(0, at + 1));
    this.clients.push({ viewing: this.response.watch({ after: cursor, thinking }), thinking, before });
  }

  /** Other responses push this one out of the log. */
  crowdOut(): void {
    this.#other += 1;
    this.response.log.open('msg_other', this.#other);
    this.response.log.append('msg_other', this.#other, { kind: 'text', text: 'x'.repeat(1999) });
    this.response.log.end('msg_other', this.#other);
  }
}

/** What a client has after these events of its stream; each cursor must count exactly that. */
export function haveAfter(client: Client, events: readonly ResponseEvent[]): Having {
  let { epoch, text } = client.before;
  for (const event of events) {
    const cursor = parsePosition(event.cursor) ?? expect.fail(`not a cursor: ${event.cursor}`);
    if (event.type === 'restarted') text = '';
    if (event.type === 'token') text += event.text;
    epoch = cursor.epoch;
    if (event.type === 'token') expect(cursor.text, 'the cursor counts the text').toBe(text.length);
  }
  return { epoch, text };
}

/** Clients of one scripted response, who come, leave and come back with any cursor that they were given. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResponseEvent } from '../../../src/modules/responses/viewing/response-event.js';
import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';
import { parsePosition } from '../../../src/modules/tokens/log/position.js';
import { modelLimitMs, modelRuns } from '../model-runs.js';
import { isWellFormed, merged, textIn } from '../tokens/token-entries.js';
import { ScriptedResponse, settled, type Viewing } from './scripted-response.js';

/** What a client has: the text of one attempt, emptied when it is told of a restart. */
interface Having {
  epoch: number;
  text: string;
}

interface Client {
  viewing: Viewing;
  thinking: boolean;
  /** What it had when it came, from an earlier stream. */
  before: Having;
}

class World {
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
function haveAfter(client: Client, events: readonly ResponseEvent[]): Having {
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

const piece = fc.constantFrom('a', 'word ', '漢字', '😀', '😀😀 and more ', 'long '.repeat(10));
const outcome = fc.constantFrom('succeeded' as const, 'failed' as const, 'interrupted' as const);
const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(fc.constant('say' as const), piece, fc.nat({ max: 4 }), fc.boolean(), fc.boolean()),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constant('join' as const), fc.boolean()) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('resume' as const), fc.nat(), fc.nat(), fc.boolean()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('leave' as const), fc.nat()) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('stall' as const), fc.nat()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('go on' as const), fc.nat()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('claim' as const), fc.boolean()) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('zombie' as const), piece) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('crowdOut' as const)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('invalidate' as const)) },
  { weight: 2, arbitrary: fc.tuple(fc.constant('pass' as const), fc.constantFrom(1, 1999, 2000, 70_000)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('hold' as const)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('release' as const)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('settle microtasks' as const)) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

async function act(world: World, step: Action): Promise<void> {
  const { response } = world;
  const running = response.row?.status === 'running';
  if (step[0] === 'say' && running) {
    const [, text, cutAt, thinking, pause] = step;
    const kind = thinking ? 'thinking' : 'text';
    response.say(text.slice(0, cutAt), kind);
    if (pause) await settled();
    response.say(text.slice(cutAt), kind);
  } else if (step[0] === 'join') world.join(step[1]);
  else if (step[0] === 'resume') world.resume(step[1], step[2], step[3]);
  else if (step[0] === 'leave') world.viewing(step[1])?.controller.abort();
  else if (step[0] === 'stall') world.viewing(step[1])?.stall();
  else if (step[0] === 'go on') world.viewing(step[1])?.goOn();
  else if (step[0] === 'claim') response.claim({ elsewhere: step[1] });
  else if (step[0] === 'zombie') response.log.append(response.id, response.epoch - 1, { kind: 'text', text: step[1] });
  else if (step[0] === 'crowdOut') world.crowdOut();
  else if (step[0] === 'invalidate') response.log.invalidateAll();
  else if (step[0] === 'pass') response.clock.advance(step[1]);
  else if (step[0] === 'hold') response.holdReads();
  else if (step[0] === 'release') response.releaseReads();
  else if (step[0] === 'settle microtasks') await settled();
}

type Outcome = 'succeeded' | 'failed' | 'interrupted';

/** Ends the response, and gives every viewer the time to see it. */
async function conclude({ response, clients }: World, status: Outcome, published: boolean): Promise<void> {
  if (response.row?.status === 'queued') response.claim();
  response.settle(status, { published });
  for (let round = 0; round < 5; round += 1) {
    for (const { viewing } of clients) viewing.goOn();
    response.releaseReads();
    await settled();
    response.clock.advance(2000);
    await settled();
  }
}

function checkClient(world: World, client: Client, status: string): void {
  const { row } = world.response;
  const { seen, state } = client.viewing;
  const having = haveAfter(client, seen);
  const endedBefore = client.before.epoch === row?.epoch && seen.length === 0;
  if (client.viewing.controller.signal.aborted || endedBefore) return;
  expect(state).toBe('ended');
  expect(seen[0]?.type).toBe('status');
  expect(seen.filter(({ type }) => type === 'done' || type === 'error')).toHaveLength(1);
  expect(seen.at(-1)?.type).toBe(status === 'succeeded' ? 'done' : 'error');
  expect(seen.at(-1)?.cursor).toBe(`${row?.epoch}-end`);
  if (row?.text !== '' || status === 'succeeded') expect(having.text).toBe(row?.text);
  for (const event of seen) {
    if (event.type === 'token') expect(isWellFormed(event.text) && event.text !== '').toBe(true);
    if (event.type === 'thinking') expect(client.thinking).toBe(true);
  }
}

describe('followResponse, any interleaving', () => {
  it(
    'gives every client exactly the stored text, whenever it joins, leaves and returns',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(action, { minLength: 10, maxLength: 60, size: 'max' }),
          outcome,
          fc.boolean(),
          async (actions, status, published) => {
            const world = new World();
            world.join(false);
            world.response.claim();
            for (const step of actions) await act(world, step);
            await conclude(world, status, published);
            world.join(true);
            for (const [index, { viewing }] of [...world.clients.entries()]) {
              for (const event of viewing.seen.keys()) world.resume(index, event, false);
            }
            await settled();
            for (const client of world.clients) checkClient(world, client, status);
            expect(world.response.log.stats()).toMatchObject({ watched: 0, readers: 0, waiting: 0 });
          },
        ),
        { numRuns: modelRuns },
      );
    },
    modelLimitMs,
  );

  it(
    'keeps the order of thinking and text across resumes',
    async () => {
      const say = fc.tuple(fc.constantFrom('text' as const, 'thinking' as const), piece, fc.boolean());
      await fc.assert(
        fc.asyncProperty(fc.array(say, { maxLength: 40 }), fc.nat(), async (saying, leaveAt) => {
          const response = new ScriptedResponse();
          response.claim();
          const whole = response.watch({ thinking: true });
          for (const [kind, text, pause] of saying) {
            response.say(text, kind);
            if (pause) await settled();
          }
          await settled();
          const cut = leaveAt % whole.seen.length;
          const rest = response.watch({ thinking: true, after: whole.seen[cut]?.cursor ?? null });
          response.settle('succeeded');
          await settled();
          const said = merged(response.said.get(1) ?? []);
          expect(merged(entriesOf(whole.seen))).toEqual(said);
          expect(merged(entriesOf([...whole.seen.slice(0, cut + 1), ...rest.seen]))).toEqual(said);
          expect(whole.text).toBe(textIn(said));
        }),
        { numRuns: modelRuns },
      );
    },
    modelLimitMs,
  );
});

function entriesOf(events: readonly ResponseEvent[]): TokenEntry[] {
  return events.flatMap((event): TokenEntry[] => {
    if (event.type === 'token') return [{ kind: 'text', text: event.text }];
    return event.type === 'thinking' ? [{ kind: 'thinking', text: event.text }] : [];
  });
}

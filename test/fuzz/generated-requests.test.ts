/**
 * Generated requests over every endpoint and operation, good, nearly good and hostile: no answer is a fault of the service,
 * every error has the documented shape, and nothing is held when all are answered. GENERATED_REQUESTS says how many, and
 * TEST_SEED repeats the requests of a run. Memory is looked at in `stress`, where there are 10,000 at least.
 */
import { expect, it } from 'vitest';
import { heldMegabytes } from '../graphql/limits/held-memory.js';
import { caseCount, isStress, seed } from '../support/case-counts.js';
import { Chance } from '../support/chance.js';
import { FuzzClient, type Reply } from './fuzz-client.js';
import { FuzzStage } from './fuzz-stage.js';
import type { GeneratedRequest, Surroundings } from './generated-request.js';
import { graphqlRequest, graphqlStreamRequest } from './graphql-requests.js';
import { faultOf } from './judge.js';
import { attachmentRequest, authRequest, operatorRequest, rawRequest, webRequest } from './other-requests.js';
import { restRequest } from './rest-requests.js';

const count = caseCount('GENERATED_REQUESTS', { usual: 200, full: 1000 });
const atOnce = 8;
const batch = 125;
/** How much more may be held at the end than half way, when every cache has filled: its bound is counted in documents and callers. */
const flatMegabytes = 10;

const generators: readonly (readonly [number, (around: Surroundings) => GeneratedRequest])[] = [
  [40, restRequest],
  [30, graphqlRequest],
  [12, graphqlStreamRequest],
  [7, attachmentRequest],
  [3, authRequest],
  [3, webRequest],
  [1, operatorRequest],
  [1, rawRequest],
];

interface Fault {
  fault: string;
  request: string;
  status: number;
}

it.runIf(count > 0)(`${count} generated requests (seed ${seed})`, { timeout: 120_000 + count * 200 }, async () => {
  const chance = new Chance(seed);
  await using stage = await FuzzStage.start(chance);
  const run = new Run(stage, chance);
  const held: number[] = [];
  for (let sent = 0; sent < count; sent += batch) {
    await run.batch(Math.min(batch, count - sent));
    if (isStress && (count < 10_000 || sent % (count / 10) < batch)) held.push(heldMegabytes());
  }
  run.client.close();
  console.log(JSON.stringify({ seed, count, ...run.figures(), heldMegabytes: held.map(Math.round) }));
  await expect.poll(() => stage.connections, { timeout: 20_000 }).toBe(0);
  const { tokenLog, threadChanges, presence } = stage.service.service;
  const readers = () => [tokenLog.stats().readers, threadChanges.stats().followers, presence.stats().signs];
  await expect.poll(readers).toEqual([0, 0, 0]);
  await stage.callers();
  expect(run.faults, `seed ${seed}`).toEqual([]);
  expect(stage.defects.slice(0, 5), `seed ${seed}`).toEqual([]);
  const [warm = 0, last = 0] = [held[held.length / 2], held.at(-1)];
  if (isStress && count >= 10_000) expect(last - warm, JSON.stringify(held)).toBeLessThan(flatMegabytes);
});

class Run {
  readonly client: FuzzClient;
  /** One of each kind. */
  get faults(): readonly Fault[] {
    return [...this.#faults.values()];
  }

  readonly #faults = new Map<string, Fault>();
  readonly #statuses: Record<string, Record<number, number>> = {};
  #slowest = { ms: 0, request: '' };

  constructor(
    private readonly stage: FuzzStage,
    private readonly chance: Chance,
  ) {
    this.client = new FuzzClient(stage.service.url, atOnce);
  }

  async batch(size: number): Promise<void> {
    const around = { chance: this.chance, known: this.stage.known, callers: await this.stage.callers() };
    let left = size;
    const work = async () => {
      while (left > 0) {
        left -= 1;
        await this.#one(this.chance.weighted(generators)(around));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }

  async #one(generated: GeneratedRequest): Promise<void> {
    const startedMs = performance.now();
    const reply = await this.client.send(generated).catch((error: unknown) => {
      this.#keep({ fault: String(error), status: 0, request: shown(generated) });
      return null;
    });
    if (reply === null) return;
    const ms = performance.now() - startedMs;
    if (ms > this.#slowest.ms) this.#slowest = { ms, request: shown(generated).slice(0, 300) };
    this.#learn(generated, reply);
    const fault = faultOf(generated, reply);
    if (fault !== null) this.#keep({ fault, status: reply.status, request: shown(generated) });
  }

  #keep(fault: Fault): void {
    const kind = `${fault.status} ${fault.request.split(' ')[0]} ${fault.fault.slice(0, 40)}`;
    if (!this.#faults.has(kind)) this.#faults.set(kind, fault);
  }

  figures() {
    return { statuses: this.#statuses, slowest: { ...this.#slowest, ms: Math.round(this.#slowest.ms) } };
  }

  #learn({ about, method }: GeneratedRequest, { status, body }: Reply): void {
    const statuses = this.#statuses[about] ?? {};
    this.#statuses[about] = statuses;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (about === 'graphql stream' && method === 'PUT' && status === 201) this.stage.known.learnStream(body);
    else this.stage.known.learn(body);
  }
}

function shown({ about, method, path, headers, body }: GeneratedRequest): string {
  const content = body === undefined ? '' : body.toString().slice(0, 1500);
  return `${about}: ${method} ${path.slice(0, 1500)} ${JSON.stringify(headers).slice(0, 600)} ${JSON.stringify(content)}`;
}

// Whatever generated requests do to the people of the stage, they are there for the next ones.
it('a person who was deleted comes back', async () => {
  await using stage = await FuzzStage.start(new Chance(1));
  const { database } = stage.service;
  const before = await stage.callers();
  await database.user.deleteMany();
  const { tokens, cookies } = await stage.callers();
  expect(tokens).toHaveLength(before.tokens.length);
  const { status } = await stage.service.client(tokens[0]).get('/me');
  expect([status, cookies.length]).toEqual([200, before.cookies.length]);
});

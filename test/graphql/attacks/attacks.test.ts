/**
 * Requests made to hold up the service or to learn of its inside, on every way to run an operation. Each is answered without
 * the event loop being held, and the answer tells nothing but its reason. What counts is for how long the loop was busy, its
 * client included, in milliseconds of an idle machine. Of some tries the best counts.
 */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import { leastBusyMs } from '../../support/machine-speed.js';
import type { Person, TestService } from '../../support/service.js';
import { type Attack, attacks } from './attack-cases.js';

const allowedMs = 20;
const figures: string[] = [];

const it = serviceTest({ settings: { concurrency: 0 } });
afterAll(() => {
  process.stdout.write(`Milliseconds for which the event loop was busy, best of the tries:\n${figures.join('\n')}\n`);
});

interface Answer {
  status: number;
  body: string;
}

const ways = [
  { name: '/graphql', path: '/graphql', accept: 'application/graphql-response+json' },
  { name: '/graphql as a stream', path: '/graphql', accept: 'text/event-stream' },
  { name: '/graphql/stream', path: '/graphql/stream', accept: 'text/event-stream' },
] as const;
type Way = (typeof ways)[number];

/** Sends it over a connection of its own, as attackers do. What is refused early is not sent to its end. */
function send(
  service: TestService,
  ada: Person,
  { path, accept }: Way,
  { type = 'application/json' }: Attack,
  bytes: Buffer,
): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${ada.token}`,
    accept,
    'content-type': type,
    'content-length': bytes.length,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${service.url}${path}`, { method: 'POST', headers, agent: false }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    outgoing.on('error', reject);
    if (bytes.length < 300_000) outgoing.end(bytes);
    else outgoing.write(bytes.subarray(0, 10_000));
  });
}

/** The answer, and for how long the event loop was busy, in the best of some tries. */
async function measure(
  service: TestService,
  ada: Person,
  way: Way,
  attack: Attack,
): Promise<{ answer: Answer; busyMs: number }> {
  const bytes = Buffer.from(attack.body);
  await send(service, ada, way, attack, bytes);
  const { result, ms } = await leastBusyMs(() => send(service, ada, way, attack, bytes), { belowMs: allowedMs });
  return { answer: result, busyMs: ms };
}

interface Failure {
  message: string;
  extensions: Record<string, unknown>;
}

/** The errors of an answer, whatever form it has. */
function failuresOf({ body }: Answer): Failure[] {
  const data = /^data: ?(\{.*\})$/m.exec(body)?.[1] ?? body;
  const { errors = [] } = JSON.parse(data) as { errors?: Failure[] };
  return errors;
}

/** What only the inside knows. */
const inside =
  /\b(select|insert|update) .*\b(from|into|set)\b|relation "|prisma|\.[jt]s:\d|\/src\/|node_modules|\n {4}at |"stack"|graphql-armor/i;

describe.each(ways)('an attack on $name', (way) => {
  it.for(Object.entries(attacks))(
    'is answered quickly, and reveals nothing: %s',
    async ([name, attack], { service, ada }) => {
      const { answer, busyMs } = await measure(service, ada, way, attack);
      figures.push(`${busyMs.toFixed(1).padStart(7)}  ${way.name.padEnd(22)} ${name}`);
      expect(answer.status, answer.body.slice(0, 500)).toBeLessThan(500);
      expect(answer.body).not.toMatch(inside);
      expect(answer.body.length).toBeLessThan(300_000);
      const [failure] = failuresOf(answer);
      if (attack.code !== null) expect(failure?.extensions?.['code'], answer.body.slice(0, 500)).toBe(attack.code);
      expect(busyMs).toBeLessThan(allowedMs);
    },
  );
});

describe('after all of that', () => {
  it('nothing was changed, nothing was logged as a defect, and no prototype was polluted', async ({ service, ada }) => {
    expect(await service.service.database.thread.count()).toBe(0);
    expect(service.log.filter((line) => /an operation failed|a request failed/.test(line))).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect((await ada.rest.get('/me')).status).toBe(200);
  });
});

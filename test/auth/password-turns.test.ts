/** Hashing a password takes a thread and much of a core: whoever has many hashed at once keeps nobody else waiting for all of them. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, describe, expect, vi } from 'vitest';
import { serviceTest } from '../support/fixtures/service.js';
import type { TestService } from '../support/service.js';
import { type Answer, type Browser, browserOf } from './browser.js';
import { linkSecret, password } from './people.js';

const patience = { timeout: 50_000, interval: 10 };

interface Hash {
  /** Hashes. */
  finish(): void;
  /** Gives a hash that nothing matches, for what no test looks at any more: each takes a core a tenth of a second. */
  skip(): void;
}

/** The hashes that are asked for, each of which is done when a test says so. */
const begun: Hash[] = [];
const hash = crypto.scrypt;
const hashes = vi.spyOn(crypto, 'scrypt').mockImplementation(((...call: Parameters<typeof hash>) => {
  const [, , length, , done] = call;
  begun.push({ finish: () => hash(...call), skip: () => done(null, Buffer.alloc(length)) });
}) as typeof hash);

syncBuiltinESMExports();
const it = serviceTest({
  // What waits here waits for the test, however busy the machine is.
  settings: { concurrency: 0, hashWaitMs: 600_000 },
  environment: { PASSWORD_HASHES: '2', SIGN_INS_PER_ADDRESS: 'off' },
});
afterAll(() => {
  hashes.mockRestore();
  syncBuiltinESMExports();
});
afterEach(async () => {
  let isOver = false;
  const over = Promise.allSettled(asked.splice(0)).then(() => {
    isOver = true;
  });
  await vi.waitFor(() => {
    for (const { skip } of begun.splice(0)) skip();
    expect(isOver).toBe(true);
  }, patience);
  await over;
});

const asked: Promise<Answer>[] = [];
let accounts = 0;

function trySignIn(browser: Browser): Promise<Answer> {
  accounts += 1;
  const answer = browser.post('/auth/sign-in/email', { email: `nobody-${accounts}@acme.test`, password });
  asked.push(answer);
  return answer;
}

const beginning = (count: number) => vi.waitFor(() => expect(begun).toHaveLength(count), patience);

/** Every guess of an account is counted before it waits for its turn. */
async function counted(service: TestService, guesses: number): Promise<void> {
  await vi.waitFor(async () => {
    const [row] = await service.database.$queryRaw<{ count: number }[]>`
      SELECT count(*)::int AS count FROM sign_in_attempts WHERE count > 0`;
    // One by place and one by account.
    expect(row?.count).toBe(2 * guesses);
  }, patience);
}

describe('passwords that are hashed at the same time', () => {
  it('are one for each address, so that a second address does not wait behind the first', async ({ service }) => {
    const [busy, other] = [browserOf(service), browserOf(service)];
    for (let tried = 0; tried < 6; tried += 1) void trySignIn(busy);
    await beginning(1);
    await counted(service, accounts);
    expect(begun).toHaveLength(1);
    const answer = trySignIn(other);
    await beginning(2);
    begun.pop()?.finish();
    expect((await answer).status).toBe(401);
    expect(begun, 'those of the first address still wait for their turn').toHaveLength(1);
  });

  it('are at most the limit of the process, in turns by address', async ({ service }) => {
    const [first, second, third] = [browserOf(service), browserOf(service), browserOf(service)];
    void trySignIn(first);
    void trySignIn(second);
    await beginning(2);
    for (let tried = 0; tried < 4; tried += 1) void trySignIn(first);
    await counted(service, accounts);
    const answer = trySignIn(third);
    await counted(service, accounts);
    expect(begun).toHaveLength(2);
    begun.shift()?.finish();
    await beginning(2);
    begun.shift()?.finish();
    await beginning(2);
    // The third had one of the two next turns, whatever of the first came before it.
    for (const { finish } of begun.splice(0)) finish();
    expect((await answer).status).toBe(401);
  });

  it('queue up to twenty for each address, and the next is refused with the time to retry', async ({ service }) => {
    const busy = browserOf(service);
    for (let tried = 0; tried < 21; tried += 1) void trySignIn(busy);
    await counted(service, accounts);
    const refused = await trySignIn(busy);
    expect(refused).toMatchObject({ status: 429, body: { code: 'quota_exceeded' } });
    expect(refused.headers.get('retry-after')).toBe('1');
    expect((await browserOf(service).get('/auth/methods')).status).toBe(200);
    const person = await service.person();
    const page = await busy.submit('/auth/link', { token: await linkSecret(service, person), password });
    expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
    expect(await service.database.signInLink.count({ where: { userId: person.id } })).toBe(1);
  });

  it('leave the queue when their callers leave', async ({ service }) => {
    const busy = browserOf(service);
    void trySignIn(busy);
    await beginning(1);
    const leaving = new AbortController();
    const gone = Array.from({ length: 20 }, (_, n) =>
      busy
        .fetch('/auth/sign-in/email', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: `gone-${n}@acme.test`, password }),
          signal: leaving.signal,
        })
        .catch(() => null),
    );
    accounts += gone.length;
    await counted(service, accounts);
    leaving.abort();
    await Promise.all(gone);
    let status = 0;
    await vi.waitFor(async () => {
      // It gets a place in the queue once the others have left it.
      const answer = trySignIn(busy);
      status = await Promise.race([answer.then((refused) => refused.status), counted(service, accounts).then(() => 0)]);
      expect(status).toBe(0);
    }, patience);
    begun.shift()?.finish();
    await beginning(1);
  });
});

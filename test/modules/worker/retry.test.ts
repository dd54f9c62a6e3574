import { describe, expect, it, vi } from 'vitest';
import { Prisma } from '../../../prisma/generated/client/client.js';
import { CallBudget } from '../../../src/modules/responses/generation/call-budget.js';
import { GenerationError, type GenerationErrorCode } from '../../../src/modules/responses/generation/processor.js';
import {
  defaultRetrySettings,
  persist,
  planRetry,
  retryDelayMs,
} from '../../../src/modules/responses/generation/retry.js';
import { openedDatabase } from '../../support/database/opened-database.js';
import { logger } from '../../support/silent-logger.js';

describe('retryDelayMs', () => {
  it('is what the provider asked for, up to the longest delay', () => {
    const delay = (retryAfterMs: number) => retryDelayMs(defaultRetrySettings, { tries: 0, retryAfterMs });
    expect([delay(0), delay(1234), delay(3_600_000)]).toEqual([0, 1234, 30_000]);
  });

  it.each([
    [true, [2000, 8000, 30_000, 30_000], [1000, 4000, 15_000, 15_000]],
    [false, [500, 1000, 2000, 4000], [0, 0, 0, 0]],
  ])('is otherwise random up to a bound that grows; received: %s', (wasReceived, most, least) => {
    const random = vi.spyOn(Math, 'random');
    const delays = () => {
      return [0, 1, 2, 3].map((tries) => {
        return retryDelayMs(defaultRetrySettings, { tries, retryAfterMs: undefined, wasReceived });
      });
    };
    random.mockReturnValue(1);
    expect(delays()).toEqual(most);
    random.mockReturnValue(0);
    expect(delays()).toEqual(least);
    random.mockRestore();
  });

  it('is never longer than the longest delay', () => {
    const failed = { tries: 100, retryAfterMs: undefined };
    expect(retryDelayMs(defaultRetrySettings, failed)).toBeLessThanOrEqual(30_000);
    expect(retryDelayMs(defaultRetrySettings, { ...failed, wasReceived: false })).toBeLessThanOrEqual(30_000);
  });
});

describe('planRetry', () => {
  const fault = (code: GenerationErrorCode, wasReceived = true) => {
    return new GenerationError(code, 'It failed.', { retryable: true, wasReceived });
  };
  const busy = new GenerationError('model_rate_limited', 'Wait.', { retryable: true, retryAfterMs: 500 });
  const plan = (failed: Partial<Parameters<typeof planRetry>[1]>) => {
    const first = { fault: fault('model_unavailable'), tries: 0, wasSeen: false, attempt: 1, maxAttempts: 3 };
    return planRetry(defaultRetrySettings, { ...first, leftMs: 60_000, calls: new CallBudget(4, 1), ...failed });
  };

  it('repeats a call as long as calls are left', () => {
    expect(plan({})).toMatchObject({ nextTry: 2, maxTries: 4 });
    expect(plan({ tries: 2, calls: new CallBudget(4, 3) })).toMatchObject({ nextTry: 4, maxTries: 4 });
    expect(plan({ tries: 3, calls: new CallBudget(4, 4) })).toBeNull();
    expect(plan({ calls: new CallBudget(5, 2), models: 2 })).toMatchObject({ nextTry: 2, maxTries: 3 });
  });

  it('repeats an attempt that was seen as long as attempts and calls are left', () => {
    expect(plan({ wasSeen: true })).toMatchObject({ nextTry: 2, maxTries: 3 });
    expect(plan({ wasSeen: true, attempt: 3 })).toBeNull();
    expect(plan({ wasSeen: true, calls: new CallBudget(4, 4) })).toBeNull();
  });

  it.each(['model_empty_response', 'model_invalid_output'] as const)('repeats a call once after %s', (code) => {
    expect(plan({ fault: fault(code) })).toMatchObject({ nextTry: 2, maxTries: 2 });
    expect(plan({ fault: fault(code), tries: 1, calls: new CallBudget(4, 2) })).toBeNull();
    expect(plan({ fault: fault(code), wasSeen: true, calls: new CallBudget(4, 2) })).toBeNull();
  });

  it('repeats a call that nobody has received eight times, because it cost nothing', () => {
    const refused = { fault: fault('model_unavailable', false), calls: new CallBudget(4) };
    expect(plan({ ...refused, tries: 7 })).toMatchObject({ nextTry: 9, maxTries: 9 });
    expect(plan({ ...refused, tries: 8 })).toBeNull();
  });

  it('repeats nothing whose delay leaves no time before the deadline', () => {
    const { delayMs } = plan({ fault: busy }) ?? expect.fail('it is final');
    expect(plan({ fault: busy, leftMs: delayMs })).toBeNull();
    expect(plan({ fault: busy, leftMs: delayMs + 1 })).toMatchObject({ delayMs });
  });

  it('repeats nothing that fails each time', () => {
    expect(plan({ fault: new GenerationError('model_failed', 'No.', { retryable: false }) })).toBeNull();
    expect(plan({ fault: new Error('a defect') })).toBeNull();
  });
});

describe('persist', () => {
  const opened = openedDatabase();
  const { signal } = new AbortController();

  it('repeats a statement whose connection is lost until it is answered', async () => {
    let tries = 0;
    const statement = async () => {
      tries += 1;
      if (tries < 4) await opened.client.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid())`;
      return opened.client.$queryRaw`SELECT 1 AS one`;
    };
    expect(await persist({ signal, logger }, statement)).toEqual([{ one: 1 }]);
    expect(tries).toBe(4);
  });

  it.each([
    ['had to wait too long for a lock', '55P03'],
    ['found no room on the disk', '53100'],
    ['could not sign in while the password was changed', '28P01'],
    ['met an internal error of the server', 'XX000'],
  ])('repeats a statement that %s', async (_what, state) => {
    let tries = 0;
    const statement = async () => {
      tries += 1;
      return tries < 2
        ? opened.client.$queryRaw(Prisma.raw(`DO $$ BEGIN RAISE SQLSTATE '${state}'; END $$`))
        : opened.client.$queryRaw`SELECT 1 AS one`;
    };
    expect(await persist({ signal, logger }, statement)).toEqual([{ one: 1 }]);
  });

  it.each([
    ['a value out of range', () => opened.client.$queryRaw`SELECT ${1e12}::int`],
    [
      'a constraint',
      () => opened.client.$executeRaw`INSERT INTO organization (slug, name) VALUES ('a', 'a'), ('a', 'a')`,
    ],
    ['a limit of the server', () => opened.client.$queryRaw`SELECT ${'x'.repeat(3000)}::tsvector::text`],
    ['a mistake', () => opened.client.$queryRaw`SELECT nothing FROM nowhere`],
    ['an exception of a trigger', () => opened.client.$queryRaw`DO $$ BEGIN RAISE EXCEPTION 'no'; END $$`],
    ['a row that is gone', () => opened.client.thread.findUniqueOrThrow({ where: { id: 'thr_none' } })],
    ['an error of the program', () => Promise.reject(new TypeError('x is not a function'))],
  ])('gives up at once what fails each time: %s', async (_name, statement) => {
    const spy = vi.fn(statement);
    await expect(persist({ signal, logger }, spy)).rejects.toThrow();
    expect(spy).toHaveBeenCalledOnce();
  });

  it('gives up, with the last error, when its signal aborts', async () => {
    const abort = new AbortController();
    const statement = vi.fn(async () => {
      if (statement.mock.calls.length === 3) abort.abort();
      throw Object.assign(new Error(`try ${statement.mock.calls.length}`), { code: 'ECONNREFUSED' });
    });
    await expect(persist({ signal: abort.signal, logger }, statement)).rejects.toThrow('try 3');
  });
});

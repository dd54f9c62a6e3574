/** The SQL statements that a service of this process sends, noted where they leave it: at the driver of its own pool. */
import pg from 'pg';
import { expect, type MockInstance, vi } from 'vitest';
import type { ProcessSettings } from '../../../src/process/settings.js';
import { newcomersTest } from '../../support/fixtures/service.js';
import { startTestService, type TestService } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';

const never = 86_400_000;

/** A worker that takes nothing and never looks, so that every statement is one of a request. */
export const idleWorker: Partial<ProcessSettings> = {
  concurrency: 0,
  lease: { leaseMs: never, heartbeatMs: never, pollMs: never, maxAttempts: 3, deadlineMs: never },
};

/** Of all streams of the process together, once a second: no request's. */
const accessCheck = 'SELECT o.id AS ended FROM unnest(';

/** There is one per second and token (`viewer-cache.ts`), so not each request has one. */
export function isTokenLookup(text: string): boolean {
  return text.includes('FROM access_token k JOIN user_account u');
}

export class StatementLog {
  readonly #sent: MockInstance = vi.spyOn(pg.Client.prototype, 'query');

  /** The statements that were sent while `work` was done, without the lookups of tokens. */
  async during(work: () => Promise<unknown>): Promise<string[]> {
    this.#sent.mockClear();
    await work();
    return this.sent().filter((text) => !isTokenLookup(text));
  }

  /** Those that were sent since it began to listen, or since the last `during`. */
  sent(): string[] {
    const { calls, contexts } = this.#sent.mock;
    const texts = calls.flatMap(([statement], index) => (isOfPool(contexts[index]) ? [textOf(statement)] : []));
    return texts.filter((text) => !text.startsWith(accessCheck));
  }

  /** Stops listening. */
  end(): void {
    this.#sent.mockRestore();
  }
}

/** A service whose worker is idle, once it has sent what it does of itself at its start: that would be counted with a request. */
export async function startQuietService(): Promise<TestService> {
  const log = new StatementLog();
  try {
    const service = await startTestService({ settings: idleWorker });
    await vi.waitFor(() => expect(service.log.join('')).toContain('the index of words is complete'), {
      timeout: 30_000,
    });
    return service;
  } finally {
    log.end();
  }
}

/**
 * Tests against such a service, with newcomers for each. Ada's token has been used already, since its first use is a statement
 * more. `costs` expects so many statements of the service's pool during some work; a failure shows them.
 */
export const quietTest = newcomersTest()
  .extend('service', { scope: 'file' }, async ({ folder: _ }, { onCleanup }) => {
    const service = await startQuietService();
    onCleanup(() => service.stop());
    return service;
  })
  .extend('ada', async ({ service }) => {
    const ada = await newcomer(service);
    await ada.rest.get('/me');
    return ada;
  })
  .extend('log', ({ service: _ }, { onCleanup }) => {
    const log = new StatementLog();
    onCleanup(() => log.end());
    return log;
  })
  .extend('costs', ({ log }) => async (count: number, work: () => Promise<unknown>): Promise<void> => {
    const statements = await log.during(work);
    expect(statements, statements.join('\n')).toHaveLength(count);
  });

/** False for the connection that listens, and for those of the tests themselves. */
function isOfPool(client: unknown): boolean {
  const { connectionParameters } = client as { connectionParameters: { application_name: string } };
  return connectionParameters.application_name.includes(`${process.pid}@`);
}

function textOf(statement: unknown): string {
  const sql = typeof statement === 'string' ? statement : (statement as { text: string }).text;
  return sql.replaceAll(/\s+/g, ' ').trim();
}

/**
 * Counts refusals for a limit by the name of the limit. Several layers see the same error on its way to the caller, so
 * each error counts once.
 */
import { Counter, type Registry } from 'prom-client';

export class LimitsHit {
  readonly #counter: Counter<'limit'>;
  readonly #seen = new WeakSet<object>();

  constructor(registry: Registry) {
    this.#counter = new Counter({
      name: 'skein_limits_hit_total',
      help: 'Requests, operations and connections that were refused because of a limit, by the limit.',
      labelNames: ['limit'],
      registers: [registry],
    });
  }

  /** Counts the error if it names a limit. Our own errors alone do: none of a library has such a code. */
  see(error: unknown): void {
    const limit = limitOf(error);
    if (limit === null || this.#seen.has(Object(error))) return;
    this.#seen.add(Object(error));
    this.hit(limit);
  }

  /** Counts a refusal that is no error, such as that of a connection. */
  hit(limit: string): void {
    this.#counter.inc({ limit });
  }
}

const codes = ['LIMIT_EXCEEDED', 'RATE_LIMITED', 'BUDGET_EXCEEDED', 'ATTACHMENT_QUOTA'];

function limitOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('extensions' in error)) return null;
  const { code, limit } = Object(error.extensions) as { code?: unknown; limit?: unknown };
  return codes.includes(String(code)) && typeof limit === 'string' ? limit : null;
}

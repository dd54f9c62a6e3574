/** What the log must never hold, and a way to look for it in all that a service wrote. */
import { inspect } from 'node:util';
import { expect, vi } from 'vitest';
import type { TestService } from '../support/service.js';

/** Every text that these tests send contains one of these, and nothing else of the service does. */
export const secrets = {
  message: 'quagga-tells-all',
  name: 'xylophone-project',
  feedback: 'vuvuzela-comment',
  search: 'zyzzyva-search',
  answer: 'okapi-answers-it',
};

/** Collects what libraries print past the log. */
export function collectPrinted(): string[] {
  const printed: string[] = [];
  for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => void printed.push(inspect(words, { depth: 9 })));
  }
  return printed;
}

/** Fails where a line holds one of the texts, the token, or enough of the token to find it by. */
export function expectSilence(lines: readonly string[], token: string): void {
  for (const secret of [...Object.values(secrets), token, token.slice(-10), token.slice(8, 18)]) {
    const telling = lines.filter((line) => line.includes(secret));
    expect(telling.slice(0, 3).map((line) => line.slice(0, 800))).toEqual([]);
  }
}

/** How many lines report a fault of the service. */
export function errorsLogged({ log }: TestService): number {
  return log.filter((line) => JSON.parse(line).level >= 50).length;
}

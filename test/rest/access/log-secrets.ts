/** What the log must never hold, and a way to look for it in all that a service wrote. */
import { inspect } from 'node:util';
import { expect, vi } from 'vitest';
import type { Sent } from '../../support/clients/rest-client.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';

/** Every text that these tests send contains one of these, and nothing else of the service does. */
export const secrets = {
  message: 'quagga-tells-all',
  name: 'xylophone-project',
  feedback: 'vuvuzela-comment',
  search: 'zyzzyva-search',
  answer: 'okapi-answers-it',
};

/** Watches what a service writes, and what libraries print past its log. To be made before the service starts. */
class LogWatch {
  readonly #printed: string[] = [];
  #linesSeen = 0;

  constructor() {
    for (const method of ['debug', 'log', 'info', 'warn', 'error'] as const) {
      vi.spyOn(console, method).mockImplementation((...words) => void this.#printed.push(inspect(words, { depth: 9 })));
    }
  }

  /** Fails where a line since the last time holds one of the texts, the token, or enough of the token to find it by. */
  expectSilent({ log }: TestService, { token }: Person): void {
    const lines = [...log.slice(this.#linesSeen), ...this.#printed.splice(0)];
    this.#linesSeen = log.length;
    for (const secret of [...Object.values(secrets), token, token.slice(-10), token.slice(8, 18)]) {
      const telling = lines.filter((line) => line.includes(secret));
      expect(telling.slice(0, 3).map((line) => line.slice(0, 800))).toEqual([]);
    }
  }

  end(): void {
    vi.restoreAllMocks();
  }
}

/** Tests of a service that is watched from its start; `expectSilent` fails where it has told a secret since the last time. */
export const it = serviceTest()
  .extend('watch', { scope: 'file' }, () => new LogWatch())
  .extend('service', { scope: 'file' }, ({ watch, startService }, { onCleanup }) => {
    onCleanup(() => watch.end());
    return startService();
  })
  .extend(
    'expectSilent',
    { scope: 'file' },
    ({ watch, service, ada }) =>
      () =>
        watch.expectSilent(service, ada),
  );

export const secretThread = { text: secrets.message, name: secrets.name };

/** Starts a thread of secrets, and waits until its response is over. */
export async function tellSecrets({ rest }: Person): Promise<Sent> {
  const sent = await rest.createThread(secretThread);
  await rest.streamToEnd(sent);
  return sent;
}

/** How many lines report a fault of the service. */
export function errorsLogged({ log }: TestService): number {
  return log.filter((line) => JSON.parse(line).level >= 50).length;
}

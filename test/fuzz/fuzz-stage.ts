/** The service under generated requests: its people, whom what is generated may sign out, remove or delete, and who come back. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { vi } from 'vitest';
import type { User } from '../../prisma/generated/client/client.js';
import { password, signedIn } from '../auth/people.js';
import type { Chance } from '../support/chance.js';
import { httpError, text, toolCall } from '../support/model/model-script.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import type { Callers } from './generated-request.js';
import { Known } from './generated-request.js';

export class FuzzStage {
  readonly service: TestService;
  readonly known = new Known();
  /** Lines of the log that report a defect. */
  readonly defects: string[] = [];
  readonly #people: readonly Person[];
  /** The people as they are stored, for those who are deleted. */
  readonly #rows: readonly User[];
  readonly #sockets = new Set<Socket>();
  #callers: Callers | undefined;

  static async start(chance: Chance): Promise<FuzzStage> {
    const service = await startTestService();
    service.model.respond(() => scriptOf(chance));
    const people = [
      await service.person({ role: 'admin' }),
      await service.person(),
      await service.person({ scopes: ['me:read'] }),
      await service.person({ org: 'other' }),
    ];
    const rows = await service.database.user.findMany({ where: { id: { in: people.map(({ id }) => id) } } });
    return new FuzzStage(service, people, rows);
  }

  private constructor(service: TestService, people: readonly Person[], rows: readonly User[]) {
    this.service = service;
    this.#people = people;
    this.#rows = rows;
    subscribe('http.server.request.start', this.#watch);
  }

  /**
   * Makes good what the last requests have done to the people, and gives by what they can be known. An operation goes on after its
   * client has left and after the 202 of a stream, so it may remove or sign out somebody while this is done: then it is done again.
   */
  async callers(): Promise<Callers> {
    this.#readLog();
    this.#callers = await vi.waitFor(() => this.#restore(), { timeout: 20_000 });
    return this.#callers;
  }

  async #restore(): Promise<Callers> {
    const { database } = this.service;
    const ids = this.#people.map(({ id }) => id);
    await database.user.createMany({ data: [...this.#rows], skipDuplicates: true });
    await database.user.updateMany({ where: { id: { in: ids } }, data: { removedAt: null } });
    const [admin, member] = this.#people;
    if (!admin || !member) throw new Error('There is nobody.');
    await database.user.update({ where: { id: admin.id }, data: { role: 'admin' } });
    await database.accessToken.deleteMany({ where: { userId: { in: ids } } });
    await database.session.deleteMany({ where: { userId: { in: ids } } });
    const tokens = await Promise.all(
      this.#people.map(({ id }, index) =>
        this.service.token(
          id,
          index === 2 ? ['me:read'] : ['me:read', 'threads:read', 'threads:write', 'feedback:write'],
        ),
      ),
    );
    const browsers = [
      await signedIn(this.service, admin, this.#callers ? undefined : password),
      await signedIn(this.service, member),
    ];
    return {
      tokens: [...tokens, tokens[0] ?? '', `${tokens[0]?.slice(0, -1)}x`],
      cookies: [...browsers.map(({ cookies }) => cookies), 'session=x'],
      passwords: [
        { email: admin.email, password },
        { email: 'nobody@acme.test', password: 'x' },
      ],
      links: ['unknown'],
    };
  }

  /** Connections of clients that are open. */
  get connections(): number {
    const { port } = new URL(this.service.url);
    return [...this.#sockets].filter((socket) => !socket.destroyed && socket.localPort === Number(port)).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    unsubscribe('http.server.request.start', this.#watch);
    await this.service.stop();
  }

  /** Also forgets what was logged and what the model was asked, which would be taken for memory of the service. */
  #readLog(): void {
    const { log, model } = this.service;
    for (const line of log) {
      const { level, msg } = JSON.parse(line) as { level: number; msg: string };
      if (level >= 50 && !msg.includes('model')) this.defects.push(line.slice(0, 1500));
    }
    log.length = 0;
    model.requests.length = 0;
  }

  readonly #watch = (message: unknown): void => {
    const { socket, request } = message as { socket: Socket; request: IncomingMessage };
    // Those of `fetch`, with which people sign in, are kept alive for later.
    if (this.#sockets.has(socket) || request.headers['user-agent'] === 'node') return;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  };
}

/** Mostly an answer; sometimes a question, or a failure. */
function scriptOf(chance: Chance) {
  return chance.weighted([
    [8, [text('Hello'), text(' from'), text(' the model \u2028 \u0000 \ud83d\ude00.')]],
    [
      2,
      toolCall({ id: 'call-1', name: 'user_get_choice', arguments: { question: 'Which?', choices: ['Red', 'Blue'] } }),
    ],
    [1, [httpError(400, { message: 'no' })]],
  ] as const);
}

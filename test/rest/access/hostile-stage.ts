/** A service under hostile input: every answer is held against all that must be true of every answer. */
import { expect } from 'vitest';
import { checkResponse } from '../../support/clients/response-checker.js';
import { type Person, startTestService, type TestService, withoutWorker } from '../../support/service.js';
import { RawClient, type RawReply, type RawRequest } from '../http/raw-http.js';
import { storeMessages } from '../messages/stored-messages.js';
import { interruptedThread } from '../threads/thread-stages.js';
import { type EndpointCase, pathFor, type Target } from './endpoint-cases.js';

export class HostileStage {
  readonly service: TestService;
  readonly person: Person;
  /** A thread whose response is over, with a message of the assistant. */
  readonly target: Target;
  readonly #client: RawClient;
  #linesSeen = 0;

  /** Without a worker nothing changes in the database but by what the requests do. */
  static async start(): Promise<HostileStage> {
    const service = await startTestService(withoutWorker);
    const person = await service.person();
    const { threadId, messageId: question } = await interruptedThread({ service, rest: person.rest });
    const [answer] = await storeMessages(service, threadId, [{ role: 'assistant' }]);
    return new HostileStage(service, person, { threadId, question, answer: String(answer) });
  }

  private constructor(service: TestService, person: Person, target: Target) {
    this.service = service;
    this.person = person;
    this.target = target;
    this.#client = new RawClient(service.url);
  }

  /** A request that is right, but for the thread and message that it may name. */
  requestOf(each: EndpointCase, where: Target = this.target): RawRequest {
    const body = each.body ? JSON.stringify(each.body) : undefined;
    const headers = { 'content-type': 'application/json' };
    return { method: each.method, path: `/api/v1${pathFor(each, where)}`, headers, ...(body ? { body } : {}) };
  }

  /** Sends it with a good token. Fails where the answer is a defect, is not documented, or a refusal stored something. */
  async expectSane({ headers = {}, ...request }: RawRequest): Promise<RawReply> {
    const before = await this.#stored();
    const all = { authorization: `Bearer ${this.person.token}`, ...headers };
    const reply = await this.#client.send({ ...request, headers: all });
    const { status, body, headers: received } = reply;
    const contentType = received['content-type'] ?? null;
    const json = contentType?.includes('json') ? JSON.parse(body) : body === '' ? undefined : body;
    const path = request.path.replace('/api/v1', '').split('?')[0] ?? '';
    checkResponse({
      method: request.method,
      path,
      status,
      headers: new Headers(received as Record<string, string>),
      body: json,
    });
    if (status >= 400) {
      expect([status, contentType]).toEqual([status, 'application/problem+json']);
      expect(status, body).toBeLessThan(500);
      expect(json).toMatchObject({ status, request_id: received['x-request-id'] });
      expect(await this.#stored(), body).toBe(before);
    }
    return reply;
  }

  /** Fails where the service is gone, or has reported a defect since the last time. */
  async expectAlive(): Promise<void> {
    expect((await this.person.rest.get('/me')).status).toBe(200);
    const defects = this.service.log.slice(this.#linesSeen).filter((line) => JSON.parse(line).level >= 50);
    this.#linesSeen = this.service.log.length;
    expect(defects.slice(0, 3).map((line) => line.slice(0, 500))).toEqual([]);
  }

  async stop(): Promise<void> {
    this.#client.close();
    await this.service.stop();
  }

  async #stored(): Promise<string> {
    const [row] = await this.service.service.database.$queryRaw<{ counts: string }[]>`
      SELECT concat_ws(' ', (SELECT count(*) FROM thread), (SELECT count(*) FROM message), (SELECT count(*) FROM response),
        (SELECT count(*) FROM feedback), (SELECT max(updated_at) FROM thread), (SELECT max(updated_at) FROM feedback)) AS counts`;
    return String(row?.counts);
  }
}

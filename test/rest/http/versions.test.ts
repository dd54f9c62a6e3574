import { describe, expect, vi } from 'vitest';
import type { RestClient } from '../../support/clients/rest-client.js';
import type { MessageBody, PageBody, PollBody, ThreadBody } from '../../support/clients/rest-types.js';
import { joinTokens, readEvents } from '../../support/clients/sse.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { endpointCases, initFor, nameOf, pathFor } from '../access/endpoint-cases.js';
import { numbered, storeMessages } from '../messages/stored-messages.js';

const it = serviceTest()
  .extend('stable', { scope: 'file' }, ({ service, ada }) => service.client(ada.token, '/api/v1'))
  .extend('alpha', { scope: 'file' }, ({ service, ada }) => service.client(ada.token, '/api/v1-alpha0'))
  .extend('target', { scope: 'file' }, async ({ stable, alpha }) => {
    const { threadId, messageId: question } = await alpha.createThread({ text: 'Hi', name: 'Greeting' });
    const [answer] = await stable.answer({ threadId, messageId: question });
    return { threadId, question, answer: String(answer?.id) };
  });

const perRequest = ['x-request-id', 'date', 'ratelimit'];

/** All that a caller can tell two answers apart by. */
async function observe(client: RestClient, path: string, init: RequestInit) {
  const response = await client.fetch(path, init);
  const text = (await response.text()).replace(/"request_id":"[^"]+"/, '"request_id":""');
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !perRequest.includes(name)));
  return { status: response.status, headers, text };
}

describe('the two prefixes', () => {
  const reads = endpointCases.filter((each) => each.method === 'GET');

  it.for(reads.map((each) => [nameOf(each), each] as const))(
    'answer the same to %s',
    async ([_name, each], { stable, alpha, target }) => {
      const paths = [
        pathFor(each, target),
        pathFor(each, { ...target, threadId: 'nonsense' }),
        `${pathFor(each, target)}?limit=0`,
      ];
      for (const path of paths) {
        expect(await observe(alpha, path, initFor(each))).toEqual(await observe(stable, path, initFor(each)));
      }
    },
  );

  it('answer the same to a rating, and to input that cannot be used', async ({ stable, alpha, target }) => {
    for (const each of endpointCases.filter((candidate) => candidate.method === 'POST')) {
      const path = pathFor(each, { ...target, question: target.answer });
      for (const body of [each.success === 204 ? each.body : {}, [], { text: 5, positive: 5 }]) {
        const init = initFor({ ...each, body: body ?? {} });
        expect(await observe(alpha, path, init)).toEqual(await observe(stable, path, init));
      }
    }
  });

  it('answer the same to a wrong method, to no token and to a missing scope', async ({ service }) => {
    const powerless = await service.token((await service.person()).id, []);
    for (const token of [undefined, powerless]) {
      const [one, other] = [service.client(token, '/api/v1'), service.client(token, '/api/v1-alpha0')];
      for (const init of [{ method: 'GET' }, { method: 'PUT' }, { method: 'OPTIONS' }]) {
        expect(await observe(other, '/threads', init)).toEqual(await observe(one, '/threads', init));
      }
    }
  });

  it('differ in the place that they name for what was created', async ({ stable, alpha }) => {
    const locations = [];
    for (const client of [stable, alpha]) {
      const reply = await client.post<{ thread_id: string }>('/threads', { text: 'Hi' });
      locations.push(reply.headers.get('location')?.replace(reply.body.thread_id, '{id}'));
    }
    expect(locations).toEqual(['/api/v1/threads/{id}', '/api/v1-alpha0/threads/{id}']);
  });
});

describe('ids', () => {
  it('work across: what one creates the other reads, continues, polls, rates and lists', async ({
    service,
    stable,
    alpha,
  }) => {
    const first = await alpha.createThread({ text: 'First' });
    await stable.answer(first);
    const second = await stable.send(first.threadId, 'Second');
    const [answer] = await alpha.answer(second);
    const path = `/threads/${first.threadId}/messages`;
    const poll = await alpha.get<PollBody>(`${path}/${second.messageId}/response`);
    expect(poll.body.messages).toEqual([answer]);
    expect((await stable.post(`${path}/${answer?.id}/feedback`, { positive: true })).status).toBe(204);
    expect((await alpha.post(`${path}/${answer?.id}/feedback`, { positive: false })).status).toBe(204);
    expect(await service.service.database.feedback.count({ where: { messageId: String(answer?.id) } })).toBe(1);
    expect((await alpha.get<PageBody<MessageBody>>(path)).body.data).toHaveLength(4);
  });
});

describe('cursors', () => {
  it('work across, for messages and for threads', async ({ service, stable, alpha, target }) => {
    await storeMessages(service, target.threadId, numbered(5));
    for (let count = 0; count < 5; count += 1) await stable.createThread({ text: 'More' });
    // The list is in the order of changes: nothing must move while it is read.
    const busy = { where: { finishedAt: null } };
    await vi.waitFor(async () => expect(await service.service.database.response.count(busy)).toBe(0), {
      timeout: 10_000,
    });
    for (const [path, clients] of [
      [`/threads/${target.threadId}/messages`, [stable, alpha]],
      ['/threads', [alpha, stable]],
    ] as const) {
      const all = await stable.get<PageBody<MessageBody | ThreadBody>>(path);
      const seen: string[] = [];
      let after = '';
      for (let page = 0; ; page += 1) {
        const client = clients[page % 2] ?? stable;
        const { body } = await client.get<PageBody<MessageBody | ThreadBody>>(`${path}?limit=2${after}`);
        seen.push(...body.data.map((item) => item.id));
        if (!body.has_more) break;
        after = `&after=${body.last_id}`;
      }
      expect(seen).toEqual(all.body.data.map((item) => item.id));
    }
  });

  it('work across, for the events of a response', async ({ stable, alpha, target }) => {
    const sent = { threadId: target.threadId, messageId: target.question };
    const events = await alpha.streamToEnd(sent);
    const path = `/threads/${sent.threadId}/messages/${sent.messageId}/response/stream`;
    const last = await stable.fetch(path, { headers: { 'last-event-id': String(events.at(-1)?.id) } });
    expect(last.status).toBe(204);
    const begin = String(events[0]?.id);
    const { body } = await stable.fetch(path, { headers: { 'last-event-id': begin } });
    const rest = [];
    if (body) for await (const event of readEvents(body)) rest.push(event);
    expect(joinTokens(events.slice(0, 1)) + joinTokens(rest)).toBe('Hello from the model.');
  });
});

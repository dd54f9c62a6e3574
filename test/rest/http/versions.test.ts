import { describe, expect } from 'vitest';
import type { RestClient } from '../../support/clients/rest-client.js';
import type { PageBody } from '../../support/clients/rest-types.js';
import { joinTokens } from '../../support/clients/sse.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { endpointCases, initFor, pathFor } from '../access/endpoint-cases.js';
import { answeredMessage } from '../messages/answered-message.js';

const it = serviceTest()
  .extend('stable', { scope: 'file' }, ({ service, ada }) => service.client(ada.token, '/api/v1'))
  .extend('alpha', { scope: 'file' }, ({ service, ada }) => service.client(ada.token, '/api/v1-alpha0'))
  .extend('target', { scope: 'file' }, ({ ada }) => answeredMessage(ada));

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

  it.for(reads)('answer the same to $method $path', async (each, { stable, alpha, target }) => {
    const paths = [
      pathFor(each, target),
      pathFor(each, { ...target, threadId: 'nonsense' }),
      `${pathFor(each, target)}?limit=0`,
    ];
    for (const path of paths) {
      expect(await observe(alpha, path, initFor(each))).toEqual(await observe(stable, path, initFor(each)));
    }
  });

  it('answer the same to a rating, and to input that cannot be used', async ({ stable, alpha, target }) => {
    for (const each of endpointCases.filter((candidate) => candidate.method === 'POST')) {
      const path = pathFor(each, { ...target, questionId: target.answerId });
      for (const body of [each.success === 204 ? each.body : {}, [], { text: 5, positive: 5 }]) {
        const init = initFor({ ...each, body: body ?? {} });
        expect(await observe(alpha, path, init)).toEqual(await observe(stable, path, init));
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

it('ids and cursors work across: what one creates or pages the other goes on with', async ({ stable, alpha }) => {
  const first = await alpha.createThread({ text: 'First' });
  await stable.answer(first);
  const [answer] = await alpha.answer(await stable.send(first.threadId, 'Second'));
  const path = `/threads/${first.threadId}/messages`;
  expect((await stable.post(`${path}/${answer?.id}/feedback`, { positive: true })).status).toBe(204);
  for (const list of [path, '/threads']) {
    const { body } = await stable.get<PageBody<{ id: string }>>(list);
    const { body: page } = await alpha.get<PageBody<{ id: string }>>(`${list}?limit=1`);
    const { body: rest } = await stable.get<PageBody<{ id: string }>>(`${list}?after=${page.last_id}`);
    expect([...page.data, ...rest.data]).toEqual(body.data);
  }
  const [begin] = await alpha.streamToEnd(first);
  const rest = await stable.streamToEnd(first, { headers: { 'last-event-id': String(begin?.id) } });
  expect(joinTokens(begin ? [begin] : []) + joinTokens(rest)).toBe('Hello from the model.');
});

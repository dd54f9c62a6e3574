/** Who may do what: each endpoint for each kind of caller, on a public and on a private thread. */
import { describe, expect } from 'vitest';
import { scopes } from '../../../src/contract.js';
import type { RestClient } from '../../support/clients/rest-client.js';
import type { PageBody, ThreadBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { type EndpointCase, endpointCases, initFor, nameOf, pathFor, type Target } from './endpoint-cases.js';

const it = serviceTest()
  .extend('owner', { scope: 'file' }, ({ service }) => service.person())
  .extend('colleague', { scope: 'file' }, ({ service }) => service.person({ role: 'admin' }))
  .extend('stranger', { scope: 'file' }, ({ service }) => service.person({ org: 'other', role: 'admin' }))
  // For callers who only read or are refused, and so change nothing for the next.
  .extend('unchanged', { scope: 'file' }, async ({ owner }) => ({
    public: await newTarget(owner, 'public'),
    private: await newTarget(owner, 'private'),
  }));

type Caller = 'the owner' | 'a colleague' | 'a stranger' | 'nobody' | 'a weak token';
type Privacy = 'public' | 'private';

/** What the specification and the decisions on it say. */
function expectedStatus(each: EndpointCase, caller: Caller, privacy: Privacy): number {
  if (caller === 'nobody') return 401;
  if (caller === 'a weak token') return 403;
  if (!each.path.includes('{thread-id}') || caller === 'the owner') return each.success;
  if (caller === 'a stranger' || privacy === 'private') return 404;
  return each.success;
}

async function clientOf(
  { service, owner, colleague, stranger }: { service: TestService; owner: Person; colleague: Person; stranger: Person },
  caller: Caller,
  { scope }: EndpointCase,
): Promise<RestClient> {
  if (caller === 'the owner') return owner.rest;
  if (caller === 'a colleague') return colleague.rest;
  if (caller === 'a stranger') return stranger.rest;
  if (caller === 'nobody') return service.client();
  const others = scopes.filter((each) => each !== scope);
  return service.client(await service.token(owner.id, others));
}

async function newTarget(owner: Person, privacy: Privacy): Promise<Target> {
  const sent = await owner.rest.createThread({ text: 'Hi', name: privacy, is_private: privacy === 'private' });
  const [answer] = await owner.rest.answer(sent);
  return { threadId: sent.threadId, question: sent.messageId, answer: String(answer?.id) };
}

const callers: Caller[] = ['the owner', 'a colleague', 'a stranger', 'nobody', 'a weak token'];
const table = endpointCases.flatMap((each) =>
  callers.flatMap((caller) =>
    (['public', 'private'] as const).map(
      (privacy) => [nameOf(each), caller, privacy, expectedStatus(each, caller, privacy), each] as const,
    ),
  ),
);

describe('each endpoint for each caller', () => {
  it.for(table)(
    '%s by %s on a %s thread is %i',
    async ([_name, caller, privacy, expected, each], { service, owner, colleague, stranger, unchanged }) => {
      const changesNothing = expected >= 400 || each.method === 'GET';
      const target = changesNothing ? unchanged[privacy] : await newTarget(owner, privacy);
      const client = await clientOf({ service, owner, colleague, stranger }, caller, each);
      const { status, body } = await client.request(pathFor(each, target), initFor(each));
      expect(status, JSON.stringify(body)).toBe(expected);
      if (status === 404) {
        const nowhere = { threadId: 'x', question: 'x', answer: 'x' };
        const unknown = await client.request(pathFor(each, nowhere), initFor(each));
        expect({ ...body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
      }
    },
  );
});

describe('the list of threads', () => {
  it('has a thread exactly for those who may read it, whatever the filter', async ({ owner, colleague, stranger }) => {
    const threads = { public: await newTarget(owner, 'public'), private: await newTarget(owner, 'private') };
    const filters = [
      '',
      '?private=true',
      '?private=false',
      '?owned=true',
      '?owned=false',
      '?archived=true',
      '?q=Hello',
    ];
    for (const person of [owner, colleague, stranger]) {
      const seen = new Set<string>();
      for (const filter of filters) {
        const { body } = await person.rest.get<PageBody<ThreadBody>>(`/threads${filter}`);
        for (const thread of body.data) seen.add(thread.id);
      }
      for (const { threadId } of Object.values(threads)) {
        const { status } = await person.rest.get(`/threads/${threadId}`);
        expect([status, seen.has(threadId)]).toEqual([status, status === 200]);
      }
    }
    expect((await colleague.rest.get(`/threads/${threads.public.threadId}`)).status).toBe(200);
    expect((await colleague.rest.get(`/threads/${threads.private.threadId}`)).status).toBe(404);
  });
});

describe('a thread that becomes private', () => {
  it('disappears for everybody else at once, and comes back when it is public again', async ({
    service,
    owner,
    colleague,
  }) => {
    const target = await newTarget(owner, 'public');
    const onThread = endpointCases.filter((each) => each.method === 'GET' && each.path.includes('{thread-id}'));
    const statuses = async (person: Person) => {
      const replies = onThread.map((each) => person.rest.request(pathFor(each, target), initFor(each)));
      return new Set((await Promise.all(replies)).map((reply) => reply.status));
    };
    const setPrivate = (isPrivate: boolean) =>
      service.service.database.thread.update({ where: { id: target.threadId }, data: { isPrivate } });
    expect(await statuses(colleague)).toEqual(new Set([200]));
    await setPrivate(true);
    expect(await statuses(colleague)).toEqual(new Set([404]));
    expect(await statuses(owner)).toEqual(new Set([200]));
    await setPrivate(false);
    expect(await statuses(colleague)).toEqual(new Set([200]));
  });
});

/**
 * Who may ask, and whom a thread is for: its organization if it is public, its owner alone if it is private. For everybody else it does
 * not exist.
 */
import { describe, expect, vi } from 'vitest';
import { scopes } from '../../../src/contract.js';
import { createId } from '../../../src/ids.js';
import { generateSecret } from '../../../src/modules/identity/access-token.js';
import { createOrganization } from '../../../src/modules/identity/provision.js';
import type { IdentityBody } from '../../support/clients/rest-types.js';
import type { TestService } from '../../support/service.js';
import { it as test } from '../http/http-fixture.js';
import { type AnsweredMessage, answeredMessage } from '../messages/answered-message.js';
import { storeMessages } from '../messages/stored-messages.js';
import { settled } from '../threads/thread-stages.js';
import { endpointCases, initFor, nameOf, pathFor } from './endpoint-cases.js';

/** What Ada names in vain: threads, and messages of `own`. */
const it = test.extend('hidden', { scope: 'file' }, async ({ service, ada, target: own }) => {
  const other = await answeredMessage(ada);
  const secret = await answeredMessage(await service.person(), true);
  const ofMessage = (id: string): AnsweredMessage => ({ ...own, questionId: id, answerId: id });
  return {
    threads: [
      { ...own, threadId: createId('thr') },
      { ...own, threadId: 'nonsense' },
      await answeredMessage(await service.person({ org: 'other' })),
      secret,
    ],
    messages: [createId('msg'), 'nonsense', other.questionId, other.answerId, secret.answerId].map(ofMessage),
    /** These are in the thread, and no response is to them. */
    unanswered: [
      ofMessage(own.answerId),
      ...(await storeMessages(service, own.threadId, [{ role: 'summary' }])).map(ofMessage),
    ],
  };
});

function meWith(service: TestService, authorization: string) {
  return service.client().get('/me', { headers: { authorization } });
}

const nowhere = { threadId: 'x', questionId: 'x', answerId: 'x' };

describe('a refused token', () => {
  it.for([
    ['missing_token', 401, ''],
    ['invalid_token', 401, ', error="invalid_token"'],
    ['insufficient_scope', 403, ', error="insufficient_scope", scope="me:read"'],
  ] as const)('is told why, in WWW-Authenticate too: %s', async ([code, status, reason], { service, ada }) => {
    const tokens = {
      missing_token: undefined,
      invalid_token: 'nonsense',
      insufficient_scope: await service.token(ada.id, ['threads:read']),
    };
    const reply = await service.client(tokens[code]).get('/me');
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(reply.headers.get('www-authenticate')).toBe(`Bearer realm="api"${reason}`);
    expect(reply.body.required_scope).toBe(status === 403 ? 'me:read' : undefined);
  });
});

describe('a header without a bearer token', () => {
  it('is told how to send one, not that its token is unusable', async ({ service, ada }) => {
    const { token } = ada;
    for (const value of [
      ...['Bearer', token, `Basic ${token}`, `Token ${token}`, `Bearer: ${token}`, `Bearer Bearer ${token}`],
      ...[`Bearer ${token} ${token}`, `Bearer ${token},Bearer ${token}`, `Bearer ${token}, Basic YWRhOnNlY3JldA==`],
    ]) {
      const { status, headers, body } = await meWith(service, value);
      const challenge = headers.get('www-authenticate');
      expect([value, status, body.code, challenge]).toEqual([value, 401, 'missing_token', 'Bearer realm="api"']);
      expect(body.detail).toContain('"Authorization: Bearer <token>"');
    }
  });
});

describe('an invalid token', () => {
  it('is any other word after "Bearer" than a valid one', async ({ service, ada }) => {
    const { token } = ada;
    const flipped = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0');
    for (const value of [
      ...[flipped, `"${token}"`, token.slice(0, -1), `${token}x`, token.toLowerCase(), `${token},${token}`],
      ...[token.replace('skn_pat_', 'ghp_pat_'), 'x'.repeat(8000)],
    ]) {
      const { status, body } = await meWith(service, `Bearer ${value}`);
      expect([value, status, body.code]).toEqual([value, 401, 'invalid_token']);
    }
  });

  it('is one that was never issued, has expired, or was revoked, with the same words', async ({ service, ada }) => {
    const expired = await service.token(ada.id, scopes, new Date(Date.now() - 1000));
    const revoked = await service.token(ada.id, scopes);
    expect((await meWith(service, `Bearer ${revoked}`)).status).toBe(200);
    await service.database.accessToken.updateMany({
      where: { userId: ada.id, lastFour: revoked.slice(-4) },
      data: { revokedAt: new Date() },
    });
    // The process learns of it by a notification, within a second.
    await vi.waitFor(async () => expect((await meWith(service, `Bearer ${revoked}`)).status).toBe(401), {
      timeout: 20_000,
    });
    const bodies = new Set<string>();
    for (const token of [generateSecret(), expired, revoked]) {
      const { status, body } = await meWith(service, `Bearer ${token}`);
      expect(status).toBe(401);
      bodies.add(JSON.stringify({ ...body, request_id: '' }));
    }
    expect(bodies.size).toBe(1);
  });

  it('is one in the query: tokens are read from the header alone', async ({ service, ada }) => {
    expect((await service.client().get(`/me?access_token=${ada.token}`)).status).toBe(401);
  });
});

describe('a valid token', () => {
  it('is accepted with the scheme in any case, and with more than one space', async ({ service, ada }) => {
    for (const scheme of ['Bearer ', 'bearer ', 'BEARER   ']) {
      expect((await meWith(service, `${scheme}${ada.token}`)).status).toBe(200);
    }
  });

  it('gives no more than its scopes: an endpoint names the one that is missing', async ({ service, ada }) => {
    for (const each of endpointCases) {
      const path = pathFor(each, nowhere);
      const others = scopes.filter((scope) => scope !== each.scope);
      const refused = await service.client(await service.token(ada.id, others)).request(path, initFor(each));
      expect([path, refused.status, refused.body.required_scope]).toEqual([path, 403, each.scope]);
      for (const client of [ada.rest, service.client(await service.token(ada.id, [each.scope]))])
        expect([200, 201, 404]).toContain((await client.request(path, initFor(each))).status);
    }
  });
});

describe('GET /me › 200', () => {
  it('gives the identity and the organization of the token, by its slug', async ({ service }) => {
    await createOrganization(service.database, { slug: 'initech', name: 'Initech Ltd' });
    const ada = await service.person({ org: 'initech', name: 'Ada', role: 'admin' });
    const { status, body } = await ada.rest.get<IdentityBody>('/me');
    expect(status).toBe(200);
    expect(body).toEqual({
      sub: ada.id,
      name: 'Ada',
      email: ada.email,
      service_user_id: expect.any(Number),
      service_organization_id: expect.any(Number),
      service_organization_slug: 'initech',
      role: 'admin',
    });
  });

  it('gives each user and each organization a stable id, whatever the token', async ({ service }) => {
    const person = { org: 'numbers', name: 'Same' };
    const [one, two] = [await service.person(person), await service.person(person)];
    const stranger = await service.person({ org: 'other-numbers', name: 'Same' });
    const me = async (rest = one.rest) => (await rest.get<IdentityBody>('/me')).body;
    const first = await me();
    const [second, third] = [await me(two.rest), await me(stranger.rest)];
    expect(await me(service.client(await service.token(one.id, ['me:read'])))).toEqual(first);
    expect(new Set([first, second, third].map(({ sub }) => sub))).toEqual(new Set([one.id, two.id, stranger.id]));
    expect(new Set([first, second, third].map((identity) => identity.service_user_id)).size).toBe(3);
    expect(second.service_organization_id).toBe(first.service_organization_id);
    expect(third.service_organization_id).not.toBe(first.service_organization_id);
    expect([first, third].map((identity) => identity.service_organization_slug)).toEqual(['numbers', 'other-numbers']);
  });

  it('gives null for a user without a name, and names the role of a member', async ({ service }) => {
    const nameless = await service.person({ name: null, role: 'member' });
    expect((await nameless.rest.get<IdentityBody>('/me')).body).toMatchObject({ name: null, role: 'member' });
  });
});

const ofThreads = endpointCases
  .filter(({ path }) => path.includes('{thread-id}'))
  .map((each) => [nameOf(each), each] as const);

describe.for(ofThreads)('%s', ([, each]) => {
  it('› 404 › hides private threads and those of others, and stores nothing', async ({
    database,
    ada,
    hidden: { threads, messages, unanswered },
  }) => {
    const countRows = () => Promise.all([database.message.count(), database.feedback.count()]);
    const before = await countRows();
    const bodies = new Set<string>();
    const withoutMessage = each.message === 'questionId' ? [...messages, ...unanswered] : messages;
    for (const place of [...threads, ...(each.message ? withoutMessage : [])]) {
      const { status, body } = await ada.rest.request(pathFor(each, place), initFor(each));
      expect([place, status, body.code]).toEqual([place, 404, 'not_found']);
      bodies.add(JSON.stringify({ ...body, request_id: '' }));
    }
    expect(bodies.size).toBe(1);
    expect(await countRows()).toEqual(before);
  });

  it('› serves every member of the organization', async ({ service, ada, target }) => {
    const colleague = await service.person();
    expect((await colleague.rest.request(pathFor(each, target), initFor(each))).status).toBe(each.success);
    await settled({ service, rest: ada.rest });
  });
});

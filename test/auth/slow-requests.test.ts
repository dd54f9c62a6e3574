/** A request that is authenticated, and then sends its body for as long as it likes: what it asks for must not outlive its access. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, vi } from 'vitest';
import { scopes } from '../../src/contract.js';
import { it } from '../support/fixtures/service.js';
import type { TestService } from '../support/service.js';
import { signedIn } from './people.js';

interface Sent {
  method?: string;
  path?: string;
  type?: string;
  credentials: Record<string, string>;
}

/** Sends the headers and the beginning of a body; gives the answer. */
function begin(
  { url }: TestService,
  { method = 'POST', path = '/graphql', type = 'application/json', credentials }: Sent,
): Promise<{ status: number | undefined; body: string }> {
  const accept = path === '/graphql/stream' ? 'text/event-stream' : '*/*';
  const headers = { ...credentials, accept, 'content-type': type, 'content-length': '20' };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, headers }, async (response) => {
      resolve({ status: response.statusCode, body: await text(response) });
      sent.destroy();
    });
    sent.on('error', reject);
    sent.write('{"text": ');
  });
}

const announce = `mutation { upload: uploadAttachment(input: {name: "a.txt", mediaType: "text/plain", size: 20}) {
  ... on AttachmentUpload { attachment { id } } } }`;

describe('a body that is still being sent when its token is revoked', () => {
  it.for<[string, string, string, (path: string, id: string) => string, string?]>([
    ['GraphQL', 'POST', '/graphql', (path) => path],
    ['a stream of GraphQL', 'POST', '/graphql/stream', (path) => path],
    ['REST', 'POST', '/api/v1/threads', (path) => path],
    ['an attachment', 'PUT', '/attachments/', (path, id) => path + id, 'text/plain'],
  ] as const)('is refused with 401: %s', async ([_what, method, path, addressOf, type], { service, database }) => {
    const ada = await service.person();
    const { upload } = await ada.graphql.data(announce);
    const address = addressOf(path, upload.attachment.id);
    const unused = await service.token(ada.id, scopes);
    const where = { userId: ada.id, lastFour: unused.slice(-4) };
    const credentials = { authorization: `Bearer ${unused}` };
    const answer = begin(service, { method, path: address, credentials, ...(type && { type }) });
    // It is authenticated now, and waits for the rest of its body.
    const token = () => database.accessToken.findFirstOrThrow({ where });
    await vi.waitFor(async () => expect((await token()).lastUsedAt).not.toBeNull(), { timeout: 10_000, interval: 20 });
    await database.accessToken.updateMany({ where, data: { revokedAt: new Date() } });
    expect(await answer).toMatchObject({ status: 401 });
  });
});

describe('a body that is still being sent when its session ends', () => {
  it('is refused with 401 and how the session ended', async ({ service, database }) => {
    const { id } = await service.person();
    const { cookies: cookie, origin } = await signedIn(service, { id });
    const where = { userId: id };
    const longAgo = new Date(0);
    await database.session.updateMany({ where, data: { updatedAt: longAgo } });
    const answer = begin(service, { credentials: { cookie, origin } });
    // It is authenticated now, and waits for the rest of its body.
    const session = () => database.session.findFirstOrThrow({ where });
    await vi.waitFor(async () => expect((await session()).updatedAt).not.toEqual(longAgo), {
      timeout: 10_000,
      interval: 20,
    });
    await database.user.update({ where: { id }, data: { removedAt: new Date() } });
    const { status, body } = await answer;
    const { errors } = JSON.parse(body);
    expect({ status, errors }).toMatchObject({
      status: 401,
      errors: [{ extensions: { reason: 'signed_out', sessionEnd: 'member_removed' } }],
    });
  });
});

/** A request that is authenticated, and then sends its body for as long as it likes: what it asks for must not outlive its access. */
import { request } from 'node:http';
import { describe, expect, vi } from 'vitest';
import { scopes } from '../../src/contract.js';
import { it } from '../support/fixtures/service.js';
import type { TestService } from '../support/service.js';

/** Sends the headers and the beginning of a body; gives the status of the answer. */
function begin(
  service: TestService,
  token: string,
  method: string,
  path: string,
  type = 'application/json',
): Promise<number> {
  const accept = path === '/graphql/stream' ? 'text/event-stream' : '*/*';
  const headers = { authorization: `Bearer ${token}`, accept, 'content-type': type, 'content-length': '20' };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, service.url), { method, headers }, (response) => {
      resolve(response.statusCode ?? 0);
      sent.destroy();
    });
    sent.on('error', reject);
    sent.write('{"text": ');
  });
}

async function announce(service: TestService, token: string): Promise<string> {
  const query =
    'mutation { uploadAttachment(input: {name: "a.txt", mediaType: "text/plain", size: 20}) { ... on AttachmentUpload { attachment { id } } } }';
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as { data: { uploadAttachment: { attachment: { id: string } } } };
  return data.uploadAttachment.attachment.id;
}

describe('a body that is still being sent when its token is revoked', () => {
  it.for<[string, string, string, (path: string, id: string) => string, string?]>([
    ['GraphQL', 'POST', '/graphql', (path) => path],
    ['a stream of GraphQL', 'POST', '/graphql/stream', (path) => path],
    ['REST', 'POST', '/api/v1/threads', (path) => path],
    ['an attachment', 'PUT', '/attachments/', (path, id) => path + id, 'text/plain'],
  ] as const)('is refused with 401: %s', async ([_what, method, path, addressOf, type], { service }) => {
    const ada = await service.person();
    const address = addressOf(path, await announce(service, ada.token));
    const { database } = service.service;
    const unused = await service.token(ada.id, scopes);
    const where = { userId: ada.id, lastFour: unused.slice(-4) };
    const status = begin(service, unused, method, address, type);
    // It is authenticated now, and waits for the rest of its body.
    const token = () => database.accessToken.findFirstOrThrow({ where });
    await vi.waitFor(async () => expect((await token()).lastUsedAt).not.toBeNull(), { timeout: 10_000, interval: 20 });
    await database.accessToken.updateMany({ where, data: { revokedAt: new Date() } });
    expect(await status).toBe(401);
  });
});

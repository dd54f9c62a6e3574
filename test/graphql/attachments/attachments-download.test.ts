/** The bytes of attachments over HTTP: who gets what back. */
import { describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { announceFile, createThreadWith, fetchAttachment, pixel, textFile, uploadFile } from './attached-file.js';

const it = serviceTest({ settings: { concurrency: 0 } })
  .extend('bob', { scope: 'file' }, ({ service }) => service.person({ org: 'acme', role: 'admin' }))
  .extend('mallory', { scope: 'file' }, ({ service }) => service.person({ org: 'globex', role: 'admin' }));

/** The status, and the code of the problem. */
async function outcomeOf(response: Response): Promise<[number, string | null]> {
  const text = await response.text();
  return [response.status, text === '' ? null : (JSON.parse(text) as { code: string }).code];
}

async function statusFor(service: TestService, person: Person, id: string): Promise<number> {
  const response = await fetchAttachment(service, person, { id });
  await response.arrayBuffer();
  return response.status;
}

describe('GET /attachments/{id}', () => {
  it('is visible to its owner alone until it is sent, then to those who see the thread', async ({
    service,
    ada,
    bob,
    mallory,
  }) => {
    const ids = { open: await uploadFile(service, ada, pixel), hidden: await uploadFile(service, ada, pixel) };
    const seen = () =>
      Promise.all(
        [ada, bob, mallory].flatMap((who) => [statusFor(service, who, ids.open), statusFor(service, who, ids.hidden)]),
      );
    expect(await seen()).toEqual([200, 200, 404, 404, 404, 404]);
    await createThreadWith(service, ada, { text: 'Look', attachmentIds: [ids.open] });
    await createThreadWith(service, ada, { text: 'Look', attachmentIds: [ids.hidden], isPrivate: true });
    expect(await seen()).toEqual([200, 200, 200, 404, 404, 404]);
  });

  it('is not found before its content is uploaded', async ({ service, ada }) => {
    expect(await statusFor(service, ada, await announceFile(service, ada, pixel))).toBe(404);
  });

  it('serves nothing that a browser could run, or cache for others', async ({ service, ada }) => {
    const file = { ...textFile('<script>alert(1)</script>', '茶".html'), mediaType: 'text/plain' };
    const { headers } = await fetchAttachment(service, ada, {
      id: await uploadFile(service, ada, file),
      method: 'HEAD',
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(file.content.length),
      'content-disposition': expect.stringMatching(/^attachment; .*filename\*=UTF-8''%E8%8C%B6%22\.html/),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, no-cache',
    });
    const image = await fetchAttachment(service, ada, { id: await uploadFile(service, ada, pixel), method: 'HEAD' });
    expect(image.headers.get('content-disposition')).toBe('inline; filename="pixel.png"');
    expect(image.headers.get('content-type')).toBe('image/png');
  });

  it('is 304 for a client that has it', async ({ service, ada }) => {
    const id = await uploadFile(service, ada, pixel);
    const etag = (await fetchAttachment(service, ada, { id, method: 'HEAD' })).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const ask = (value: string) =>
      fetchAttachment(service, ada, { id, headers: { 'if-none-match': value, 'cache-control': 'max-age=0' } });
    expect([(await ask(etag)).status, (await ask('"other"')).status]).toEqual([304, 200]);
  });

  it('is the same on every node', async ({ service, ada }) => {
    const id = await uploadFile(service, ada, pixel);
    const node = await service.addNode();
    const response = await fetchAttachment(node, ada, { id });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(pixel.content);
    await node.stop(0);
  });
});

describe('/attachments/{id}', () => {
  it('allows no other method and no other path', async ({ service, ada }) => {
    const id = await uploadFile(service, ada, pixel);
    const response = await fetchAttachment(service, ada, { id, method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('GET, HEAD, PUT, OPTIONS');
    expect(await outcomeOf(response)).toEqual([405, 'method_not_allowed']);
    expect((await fetchAttachment(service, ada, { id: `${id}/x` })).status).toBe(404);
  });

  it('can be requested by pages of other sites, since no browser sends a token by itself', async ({ service }) => {
    const headers = { origin: 'https://other.test', 'access-control-request-method': 'PUT' };
    const response = await fetch(`${service.url}/attachments/any`, { method: 'OPTIONS', headers });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, HEAD, PUT, OPTIONS');
  });
});

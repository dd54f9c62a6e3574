/** The bytes of attachments over HTTP: what may be PUT, and who gets what back. */
import { describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import {
  announceFile,
  createThreadWith,
  type File,
  fetchAttachment,
  pixel,
  put,
  textFile,
  uploadFile,
} from './attached-file.js';

const it = serviceTest({ settings: { concurrency: 0 } })
  .extend('bob', { scope: 'file' }, ({ service }) => service.person({ org: 'acme', role: 'admin' }))
  .extend('mallory', { scope: 'file' }, ({ service }) => service.person({ org: 'globex', role: 'admin' }));

/** The status, and the code of the problem. */
async function outcomeOf(response: Response): Promise<[number, string | null]> {
  const text = await response.text();
  return [response.status, text === '' ? null : (JSON.parse(text) as { code: string }).code];
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'));
const files: Record<string, File> = {
  png: pixel,
  jpeg: { name: 'a.jpg', mediaType: 'image/jpeg', content: bytes('\xff\xd8\xff\xe0JFIF') },
  gif: { name: 'a.gif', mediaType: 'image/gif', content: bytes('GIF89a....') },
  webp: { name: 'a.webp', mediaType: 'image/webp', content: bytes('RIFF....WEBPVP8 ') },
  pdf: { name: 'a.pdf', mediaType: 'application/pdf', content: bytes('%PDF-1.7 ...') },
  text: textFile('Grüße, 世界'),
  markdown: { ...textFile('# Tea'), mediaType: 'text/markdown' },
  csv: { ...textFile('a,b'), mediaType: 'text/csv' },
  json: { ...textFile('{}'), mediaType: 'application/json' },
};

describe('PUT /attachments/{id}', () => {
  it.for(Object.entries(files))('takes %s, and GET gives the same bytes', async ([_name, file], { service, ada }) => {
    const id = await uploadFile(service, ada, file);
    const response = await fetchAttachment(service, ada, { id });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')?.split(';')[0]).toBe(file.mediaType);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(file.content);
  });

  it('takes 10 MiB', async ({ service, ada }) => {
    const content = new Uint8Array(10 * 1024 * 1024).fill(65);
    const id = await uploadFile(service, ada, { name: 'large.txt', mediaType: 'text/plain', content });
    const response = await fetchAttachment(service, ada, { id });
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
  });

  it.for<[string, Partial<File>, [number, string]]>([
    ['of another type than announced', { mediaType: 'image/gif' }, [415, 'unsupported_media_type']],
    ['that is no image', { content: pixel.content.toReversed() }, [400, 'invalid_request']],
    ['that is shorter than announced', { content: pixel.content.slice(0, -1) }, [400, 'invalid_request']],
    ['that is longer than announced', { content: new Uint8Array([...pixel.content, 0]) }, [413, 'payload_too_large']],
  ] as const)(
    'refuses a content %s, and takes the right one afterwards',
    async ([_what, change, outcome], { service, ada }) => {
      const id = await announceFile(service, ada, pixel);
      expect(await outcomeOf(await put(service, ada, { id, ...pixel, ...change }))).toEqual(outcome);
      expect(await outcomeOf(await put(service, ada, { id, ...pixel }))).toEqual([204, null]);
    },
  );

  it('counts a body without a length', async ({ service, ada }) => {
    const id = await announceFile(service, ada, pixel);
    const body = new Blob([pixel.content, pixel.content]).stream();
    const request = { id, method: 'PUT', headers: { 'content-type': 'image/png' }, body, duplex: 'half' as const };
    expect(await outcomeOf(await fetchAttachment(service, ada, request))).toEqual([413, 'payload_too_large']);
  });

  it.for([
    ['with U+0000', '\0'],
    ['that is not UTF-8', '\xff'],
  ] as const)('refuses a text %s', async ([_what, text], { service, ada }) => {
    const file = { name: 'a.txt', mediaType: 'text/plain', content: bytes(text) };
    const id = await announceFile(service, ada, file);
    expect(await outcomeOf(await put(service, ada, { id, ...file }))).toEqual([400, 'invalid_request']);
  });

  it('is idempotent: the same bytes again change nothing, other bytes are refused', async ({ service, ada }) => {
    const file = textFile('Tea');
    const id = await uploadFile(service, ada, file);
    expect(await outcomeOf(await put(service, ada, { id, ...file }))).toEqual([204, null]);
    const other = { ...file, content: bytes('Cup') };
    expect(await outcomeOf(await put(service, ada, { id, ...other }))).toEqual([409, 'already_uploaded']);
  });

  it('is accepted from the user who announced it, within a quarter of an hour', async ({ service, ada, bob }) => {
    const id = await announceFile(service, ada, pixel);
    expect(await outcomeOf(await put(service, bob, { id, ...pixel }))).toEqual([404, 'not_found']);
    expect(await outcomeOf(await put(service, ada, { id: 'att_nonsense', ...pixel }))).toEqual([404, 'not_found']);
    await service.database.$executeRaw`
      UPDATE attachment SET created_at = created_at - interval '15 minutes' WHERE id = ${id}`;
    expect(await outcomeOf(await put(service, ada, { id, ...pixel }))).toEqual([404, 'not_found']);
  });

  it('needs a token with threads:write, and GET one with threads:read', async ({ service, ada }) => {
    const id = await uploadFile(service, ada, pixel);
    expect((await outcomeOf(await put(service, { token: 'none' }, { id, ...pixel })))[0]).toBe(401);
    const reader = { token: await service.token(ada.id, ['threads:read']) };
    const writer = { token: await service.token(ada.id, ['threads:write']) };
    expect(await outcomeOf(await put(service, reader, { id, ...pixel }))).toEqual([403, 'insufficient_scope']);
    expect(await outcomeOf(await fetchAttachment(service, writer, { id }))).toEqual([403, 'insufficient_scope']);
    expect((await fetchAttachment(service, reader, { id, method: 'HEAD' })).status).toBe(200);
  });
});

async function statusFor(service: TestService, person: Person, id: string): Promise<number> {
  const response = await fetchAttachment(service, person, { id });
  await response.arrayBuffer();
  return response.status;
}

describe('GET /attachments/{id}', () => {
  it('is its owner’s alone until it is sent, then the thread’s', async ({ service, ada, bob, mallory }) => {
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
      'accept-ranges': 'none',
    });
    const disguised = { ...file, name: 'a\u202etxt.exe\u2066' };
    const plain = await fetchAttachment(service, ada, {
      id: await uploadFile(service, ada, disguised),
      method: 'HEAD',
    });
    expect(plain.headers.get('content-disposition')).toBe('attachment; filename="atxt.exe"');
    const image = await fetchAttachment(service, ada, { id: await uploadFile(service, ada, pixel), method: 'HEAD' });
    expect(image.headers.get('content-disposition')).toBe('inline; filename="pixel.png"');
    expect(image.headers.get('content-type')).toBe('image/png');
  });

  it('has its name in UTF-8, and in ASCII for clients that do not know that form', async ({ service, ada }) => {
    const id = await uploadFile(service, ada, textFile('Hallo', 'Übersicht.txt'));
    const { headers } = await fetchAttachment(service, ada, { id, method: 'HEAD' });
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="?bersicht.txt"; filename*=UTF-8''%C3%9Cbersicht.txt`,
    );
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

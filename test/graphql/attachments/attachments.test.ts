/** Announcing files. */
import { describe, expect } from 'vitest';
import { newcomersTest } from '../../support/fixtures/service.js';
import { announce } from './attached-file.js';

const it = newcomersTest({ settings: { concurrency: 0 } });

describe('uploadAttachment', () => {
  it('answers with the attachment and the URL to PUT it to', async ({ service, ada }) => {
    const announced = await announce(service, ada, { name: 'Rosé.png', mediaType: 'image/png', size: 70 });
    const id = announced.attachment?.id;
    const url = `https://skein.test/attachments/${id}`;
    expect(announced).toEqual({
      __typename: 'AttachmentUpload',
      uploadUrl: url,
      attachment: { id, name: 'Rosé.png', mediaType: 'image/png', size: 70, isUploaded: false, url },
    });
    expect(id).toMatch(/^att_[0-9a-z]{26}$/);
  });

  it.for([
    ['name', { name: '' }],
    ['name', { name: '../../etc/passwd' }],
    ['name', { name: 'a\r\nb' }],
    ['mediaType', { mediaType: 'text/html' }],
    ['mediaType', { mediaType: 'image/svg+xml' }],
    ['mediaType', { mediaType: 'constructor' }],
    ['size', { size: 0 }],
    ['size', { size: 10 * 1024 * 1024 + 1 }],
  ] as const)('refuses a %s that cannot be: %j', async ([field, change], { service, ada }) => {
    const input = { name: 'a.png', mediaType: 'image/png', size: 70, ...change };
    expect(await announce(service, ada, input)).toMatchObject({
      __typename: 'InvalidInputError',
      problems: [{ field }],
    });
  });

  it('refuses more than 50 attachments that were not sent, and more than 100 MiB', async ({ service, ada, bob }) => {
    const file = { name: 'a.png', mediaType: 'image/png', size: 10 * 1024 * 1024 };
    for (let count = 0; count < 10; count += 1) await announce(service, ada, file);
    expect(await announce(service, ada, { ...file, size: 1 })).toMatchObject({ code: 'ATTACHMENT_QUOTA' });
    for (let count = 0; count < 50; count += 1) await announce(service, bob, { ...file, size: 1 });
    expect(await announce(service, bob, { ...file, size: 1 })).toMatchObject({ code: 'ATTACHMENT_QUOTA' });
  });
});

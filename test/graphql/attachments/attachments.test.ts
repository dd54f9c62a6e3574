/** Files that go with messages: announcing them, their limits, sending them, and what the model gets of them. */
import { describe, expect } from 'vitest';
import type { Prisma } from '../../../prisma/generated/client/client.js';
import { createId } from '../../../src/ids.js';
import { readForModel } from '../../../src/modules/attachments/read-for-model.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import { removeExpired } from '../../support/database/remove-expired.js';
import { overlapped } from '../../support/database/waiting-statements.js';
import { newcomersTest } from '../../support/fixtures/service.js';
import { type Person, patientStatements, type TestService } from '../../support/service.js';
import { addThread, addThreads, colleagueOf, newcomer } from '../../support/threads.js';
import {
  announce,
  announceFile,
  createThreadWith,
  type PostOutcome,
  pixel,
  sendWith,
  textFile,
  uploadFile,
} from './attached-file.js';

const settings = { concurrency: 0, statementLimits: patientStatements };

/** `limited` has little room for the attachments of a user and of an organization, and `answering` has a worker. */
const it = newcomersTest({ settings })
  .extend('limited', { scope: 'file' }, ({ startService }) =>
    startService({
      environment: { ATTACHMENT_STORAGE_PER_USER: '2', ATTACHMENT_STORAGE_PER_ORGANIZATION: '3' },
      settings,
    }),
  )
  .extend('answering', { scope: 'file' }, ({ startService }) => startService({}));

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

describe('a message with attachments', () => {
  it('has a block for each after its text, in the order of the ids, over both APIs', async ({ service, ada, bob }) => {
    const [image, document] = [await uploadFile(service, ada, pixel), await uploadFile(service, ada, textFile('Tea'))];
    const sent = await createThreadWith(service, ada, { text: 'Look', attachmentIds: [document, image] });
    const { body } = await ada.rest.get<PageBody<MessageBody>>(`/threads/${sent.threadId}/messages`);
    expect(body.data[0]?.contents).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'document', attachment_id: document },
      { type: 'image', attachment_id: image },
    ]);
    const query =
      'query ($threadId: ID!, $messageId: ID!) { message(threadId: $threadId, id: $messageId) { attachments { id name size isUploaded } } }';
    const { threadId, messageId } = sent;
    expect(await bob.graphql.data(query, { threadId, messageId })).toEqual({
      message: {
        attachments: [
          { id: image, name: 'pixel.png', size: pixel.content.length, isUploaded: true },
          { id: document, name: 'tea.txt', size: 3, isUploaded: true },
        ],
      },
    });
  });

  it('needs no text, and then has no block for one', async ({ service, ada }) => {
    const ids = [await uploadFile(service, ada, pixel), await uploadFile(service, ada, pixel)];
    const { threadId } = await createThreadWith(service, ada, { text: '', attachmentIds: ids.slice(0, 1) });
    const { body } = await ada.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`);
    expect(body.data[0]?.contents).toEqual([{ type: 'image', attachment_id: ids[0] }]);
    const other = await addThread(service, ada);
    const sent = await sendWith(service, ada, { threadId: other, text: '', attachmentIds: ids.slice(1) });
    expect(sent).toMatchObject({ threadId: other });
  });

  it('is refused if it has neither a text nor a file', async ({ service, ada }) => {
    const refusal = { __typename: 'InvalidInputError', problems: [{ field: 'text' }] };
    expect(await createThreadWith(service, ada, { text: '', attachmentIds: [] })).toMatchObject(refusal);
    const id = await uploadFile(service, ada, pixel);
    expect(await createThreadWith(service, ada, { text: ' ', attachmentIds: [id] })).toMatchObject(refusal);
  });

  it('can be sent to an existing thread', async ({ service, ada }) => {
    const threadId = await addThread(service, ada);
    const id = await uploadFile(service, ada, pixel);
    expect(await sendWith(service, ada, { threadId, text: 'Look', attachmentIds: [id] })).toMatchObject({ threadId });
  });

  type Actors = { service: TestService; ada: Person; bob: Person };
  it.for<[string, (actors: Actors) => Promise<string[]>]>([
    ['of another user', async ({ service, bob }) => [await uploadFile(service, bob, pixel)]],
    ['that was not uploaded', async ({ service, ada }) => [await announceFile(service, ada, pixel)]],
    ['that does not exist', async () => [createId('att')]],
    ['that is named twice', ({ service, ada }) => uploadFile(service, ada, pixel).then((id) => [id, id])],
    ['that is one of eleven', async () => Array.from({ length: 11 }, () => createId('att'))],
    [
      'that was sent before',
      async ({ service, ada }) => {
        const id = await uploadFile(service, ada, pixel);
        await createThreadWith(service, ada, { text: 'Look', attachmentIds: [id] });
        return [id];
      },
    ],
  ])('is refused with one %s, and nothing is stored', async ([_what, idsOf], { service, database, ada, bob }) => {
    const attachmentIds = await idsOf({ service, ada, bob });
    const before = await database.message.count();
    const refusal = { __typename: 'InvalidInputError', problems: [{ field: 'attachmentIds' }] };
    expect(await createThreadWith(service, ada, { text: 'Look', attachmentIds })).toMatchObject(refusal);
    const threadId = await addThread(service, ada);
    expect(await sendWith(service, ada, { threadId, text: 'Look', attachmentIds })).toMatchObject(refusal);
    expect(await database.message.count()).toBe(before);
  });

  it('leaves them unsent if the thread does not accept it', async ({ service, ada }) => {
    const threadId = await addThread(service, ada, { state: 'error' });
    const id = await uploadFile(service, ada, pixel);
    const input = { text: 'Look', attachmentIds: [id] };
    expect(await sendWith(service, ada, { threadId, ...input })).toMatchObject({ __typename: 'ThreadNotReadyError' });
    expect(await createThreadWith(service, ada, input)).toMatchObject({ __typename: 'PostedMessage' });
  });

  /** Begins to send while the attachment is held, so that each has found it unsent before any may take it. */
  const atOnce = (service: TestService, id: string, ...sends: (() => Promise<PostOutcome>)[]) => {
    const lock = (other: Prisma.TransactionClient) =>
      other.$queryRaw`SELECT 1 FROM attachment WHERE id = ${id} FOR UPDATE`;
    return overlapped(service.database, { lock, words: 'claimed AS' }, ...sends);
  };

  it('is accepted once if two are sent with the same attachment at once', async ({ service, ada }) => {
    const id = await uploadFile(service, ada, pixel);
    const send = () => createThreadWith(service, ada, { text: 'Look', attachmentIds: [id] });
    const outcomes = await atOnce(service, id, send, send);
    expect(outcomes.map((outcome) => outcome.__typename).sort()).toEqual(['InvalidInputError', 'PostedMessage']);
    const rows = await service.database.$queryRaw`
      SELECT 1 FROM message WHERE contents @> ${JSON.stringify([{ attachmentId: id }])}::jsonb`;
    expect(rows).toHaveLength(1);
  });

  it.for(['REJECT', 'INTERRUPT'] as const)(
    'goes to one of two threads at once: %s',
    async (onBusy, { service, ada }) => {
      const id = await uploadFile(service, ada, pixel);
      const threads = await addThreads(service, ada, [{}, {}]);
      const input = { text: 'Look', attachmentIds: [id], onBusy };
      const sends = threads.map((threadId) => () => sendWith(service, ada, { threadId, ...input }));
      const outcomes = await atOnce(service, id, ...sends);
      expect(outcomes.map(({ __typename }) => __typename).sort()).toEqual(['InvalidInputError', 'PostedMessage']);
      const refused = outcomes.find(({ __typename }) => __typename === 'InvalidInputError');
      expect(refused).toMatchObject({ problems: [{ field: 'attachmentIds' }] });
      const { thread } = service.database;
      const states = await thread.findMany({ where: { id: { in: threads } }, select: { state: true } });
      expect(states.map(({ state }) => state).sort()).toEqual(['ready', 'waiting']);
    },
  );

  it('sent again with its key gets the same answer, and with other attachments none', async ({ service, ada }) => {
    const [first, second] = [await uploadFile(service, ada, pixel), await uploadFile(service, ada, pixel)];
    const input = { text: 'Look', idempotencyKey: `key-${first}` };
    const sent = await createThreadWith(service, ada, { ...input, attachmentIds: [first] });
    expect(await createThreadWith(service, ada, { ...input, attachmentIds: [first] })).toEqual(sent);
    const other = await createThreadWith(service, ada, { ...input, attachmentIds: [second] });
    expect(other.__typename).toBe('IdempotencyKeyReusedError');
  });
});

describe('an attachment that is not sent', () => {
  it('is removed after a day; one that was sent stays', async ({ service, database, ada }) => {
    const ids = {
      sent: await uploadFile(service, ada, pixel),
      old: await uploadFile(service, ada, pixel),
      fresh: await uploadFile(service, ada, pixel),
    };
    await createThreadWith(service, ada, { text: 'Look', attachmentIds: [ids.sent] });
    await database.$executeRaw`
      UPDATE attachment SET created_at = created_at - interval '24 hours' WHERE id IN (${ids.sent}, ${ids.old})`;
    await removeExpired(database, 'attachments');
    const left = await database.attachment.findMany({ where: { ownerId: ada.id }, select: { id: true } });
    expect(left.map(({ id }) => id).sort()).toEqual([ids.sent, ids.fresh].sort());
  });
});

const mebibyte = 2 ** 20;
const fileOf = (size: number) => ({ name: 'a.txt', mediaType: 'text/plain', size });

describe('uploadAttachment with limited storage', () => {
  it('is refused beyond the storage of the user, although every attachment was sent', async ({ limited: service }) => {
    const ada = await newcomer(service);
    const attachmentIds = [await uploadFile(service, ada, textFile('x'.repeat(2 * mebibyte)))];
    await sendWith(service, ada, { threadId: await addThread(service, ada), text: 'Look', attachmentIds });
    expect(await announce(service, ada, fileOf(1))).toMatchObject({
      code: 'ATTACHMENT_QUOTA',
      message: expect.stringMatching(/^Your attachments take up all the room/),
    });
    expect(await announce(service, await newcomer(service), fileOf(1))).toHaveProperty('attachment');
  });

  it('is refused beyond the storage of the organization', async ({ limited: service }) => {
    const ada = await newcomer(service);
    const bob = await colleagueOf(service, ada);
    await announce(service, ada, fileOf(2 * mebibyte));
    expect(await announce(service, bob, fileOf(mebibyte + 1))).toMatchObject({
      code: 'ATTACHMENT_QUOTA',
      message: expect.stringMatching(/^The attachments of your organization/),
    });
    expect(await announce(service, bob, fileOf(mebibyte))).toHaveProperty('attachment');
  });

  it('accepts one of two concurrent uploads that fit alone but not together', async ({ limited: service }) => {
    const { database } = service;
    const ada = await newcomer(service);
    const bob = await colleagueOf(service, ada);
    const { organizationId } = await database.user.findUniqueOrThrow({ where: { id: ada.id } });
    const both = await overlapped(
      database,
      { lock: (other) => other.$queryRaw`SELECT 1 FROM organization WHERE id = ${organizationId} FOR UPDATE` },
      ...[ada, bob].map((person) => () => announce(service, person, fileOf(2 * mebibyte))),
    );
    const outcomes = both.map(({ __typename }) => __typename);
    expect(outcomes.sort()).toEqual(['AttachmentQuotaError', 'AttachmentUpload']);
  });
});

const imagePart = {
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${Buffer.from(pixel.content).toString('base64')}` },
};

it('the model gets the attachments of a message, also when the conversation goes on', async ({
  answering: service,
}) => {
  const ada = await newcomer(service);
  const attachmentIds = [await uploadFile(service, ada, pixel), await uploadFile(service, ada, textFile('Green'))];
  const { threadId = '', messageId = '' } = await createThreadWith(service, ada, { text: 'Look', attachmentIds });
  await ada.rest.answer({ threadId, messageId });
  const parts = [
    { type: 'text', text: 'Look' },
    imagePart,
    { type: 'text', text: 'Attached document "tea.txt":\n\nGreen' },
  ];
  const messages = () => service.model.lastRequest.body.messages.filter(({ role }) => role !== 'system');
  expect(messages()).toEqual([{ role: 'user', content: parts }]);
  await ada.rest.answer(await ada.rest.send(threadId, 'And now?'));
  expect(messages()).toEqual([
    { role: 'user', content: parts },
    { role: 'assistant', content: 'Hello from the model.' },
    { role: 'user', content: 'And now?' },
  ]);
});

it('readForModel gives the newest that fit into 10 MiB', async ({ service, database, ada }) => {
  const large = (size: number) => textFile('a'.repeat(size));
  const [first, second, third] = [
    await uploadFile(service, ada, large(1024)),
    await uploadFile(service, ada, large(6 * 1024 * 1024)),
    await uploadFile(service, ada, large(6 * 1024 * 1024)),
  ];
  expect([...(await readForModel(database, [second, third, first])).keys()].sort()).toEqual([first, third].sort());
  expect([...(await readForModel(database, [first, second, third])).keys()]).toEqual([third]);
  expect((await readForModel(database, [createId('att')])).size).toBe(0);
});

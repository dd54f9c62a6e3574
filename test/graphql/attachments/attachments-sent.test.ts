/** Sending files with a message. */
import { describe, expect } from 'vitest';
import type { Prisma } from '../../../prisma/generated/client/client.js';
import { createId } from '../../../src/ids.js';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import { removeExpired } from '../../support/database/remove-expired.js';
import { overlapped } from '../../support/database/waiting-statements.js';
import { newcomersTest } from '../../support/fixtures/service.js';
import { type Person, patientStatements, type TestService } from '../../support/service.js';
import { addThread, addThreads } from '../../support/threads.js';
import {
  announceFile,
  createThreadWith,
  type PostOutcome,
  pixel,
  sendWith,
  textFile,
  uploadFile,
} from './attached-file.js';

const it = newcomersTest({ settings: { concurrency: 0, statementLimits: patientStatements } });

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

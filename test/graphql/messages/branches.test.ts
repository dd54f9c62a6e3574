/** Editing a message, regenerating a response, and selecting a branch: what each does, and what every reader sees then. */
import { describe, expect } from 'vitest';
import { textsOf } from '../../modules/viewing/response-facts.js';
import { activeThread } from '../../rest/threads/thread-stages.js';
import type { MessageBody, PageBody, PollBody, ThreadBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { httpError, text } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';
import { createThreadWith, fetchAttachment, textFile, uploadFile } from '../attachments/attached-file.js';
import { Branching } from './branch-operations.js';

const it = serviceTest()
  .extend('ada', { scope: 'file' }, ({ service }) => newcomer(service))
  .extend('branching', { scope: 'file' }, ({ ada }) => new Branching(ada));

/** A thread whose first message was edited, with the answers "one" and "two"; the edited variant is selected. */
async function editedThread(service: TestService, ada: Person, branching: Branching) {
  service.model.enqueue([text('one')]);
  const { threadId, messageId: first } = await ada.rest.readyThread({ text: 'walrus' });
  service.model.enqueue([text('two')]);
  const { messageId: second } = await branching.edit(first, 'seal');
  await ada.rest.answer({ threadId, messageId: second });
  return { threadId, first, second };
}

describe('editMessage', () => {
  it('puts the message and all that follows aside, and answers the new one', async ({ service, ada, branching }) => {
    const { threadId, messageId } = await ada.rest.readyThread({ text: 'first' });
    await ada.rest.answer(await ada.rest.send(threadId, 'second'));
    const posted = await branching.edit(messageId, 'first, but better');
    expect(posted).toMatchObject({ __typename: 'PostedMessage', threadId, replayed: false });
    await ada.rest.answer({ threadId, messageId: posted.messageId });
    expect(await textsOf(ada.rest, { threadId })).toEqual([
      'user: first, but better',
      'assistant: Hello from the model.',
    ]);
    const sent = service.model.lastRequest.body.messages.filter(({ role }) => role !== 'system');
    expect(JSON.stringify(sent)).toContain('first, but better');
    expect(sent).toHaveLength(1);
  });

  it('keeps the attachments, which are neither copied nor counted again', async ({ service, ada, branching }) => {
    const file = await uploadFile(service, ada, textFile('Assam'));
    const { threadId, messageId } = await createThreadWith(service, ada, { text: 'Look', attachmentIds: [file] });
    await ada.rest.answer({ threadId, messageId });
    const before = await service.database.attachment.count();
    const edited = await branching.edit(messageId, '');
    await ada.rest.answer({ threadId, messageId: edited.messageId });
    expect(await textsOf(ada.rest, { threadId })).toEqual(['user: document', 'assistant: Hello from the model.']);
    expect(await service.database.attachment.count()).toBe(before);
    const attachments = `query ($threadId: ID!, $id: ID!) {
      message(threadId: $threadId, id: $id) { attachments { id } } }`;
    for (const id of [edited.messageId, messageId]) {
      await branching.select(id);
      const { message } = await branching.graphql.data(attachments, { threadId, id });
      expect(message.attachments).toEqual([{ id: file }]);
      expect((await fetchAttachment(service, ada, { id: file })).status).toBe(200);
    }
  });

  it('refuses an empty text for a message without attachments', async ({ ada, branching }) => {
    const { messageId } = await ada.rest.readyThread({ text: 'first' });
    expect(await branching.edit(messageId, '')).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('refuses a message of the assistant', async ({ ada, branching }) => {
    const sent = await ada.rest.createThread({ text: 'first' });
    const [answer] = await ada.rest.answer(sent);
    expect(await branching.edit(answer?.id ?? '', 'No')).toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('returns the first result to a repeated request with the same key', async ({ ada, branching }) => {
    const { threadId, messageId } = await ada.rest.readyThread({ text: 'first' });
    const posted = await branching.edit(messageId, 'better', 'edit once');
    const again = await branching.edit(messageId, 'better', 'edit once');
    expect(again).toEqual({ ...posted, replayed: true });
    expect(await branching.edit(messageId, 'other', 'edit once')).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await ada.rest.answer({ threadId, messageId: posted.messageId });
  });

  it('is refused while a response runs, and in a thread that failed', async ({ service, ada, branching }) => {
    const { finish, ...sent } = await activeThread({ service, rest: ada.rest });
    const refused = { __typename: 'ThreadNotReadyError' };
    expect(await branching.edit(sent.messageId, 'better')).toMatchObject(refused);
    finish();
    await ada.rest.answer(sent);
    service.model.enqueue([httpError(400)]);
    const failed = await ada.rest.send(sent.threadId, 'second');
    expect((await ada.rest.streamToEnd(failed)).at(-1)?.event).toBe('error');
    for (const messageId of [sent.messageId, failed.messageId]) {
      expect(await branching.edit(messageId, 'better')).toMatchObject({ ...refused, state: 'ERROR' });
      expect(await branching.regenerate(messageId)).toMatchObject({ ...refused, state: 'ERROR' });
    }
    const { body } = await ada.rest.get<ThreadBody>(`/threads/${sent.threadId}`);
    expect(body.state).toBe('error');
  });

  it('signs new words by whoever edited, and regenerated ones by their author', async ({ service, ada, branching }) => {
    const bob = await colleagueOf(service, ada, { name: 'Bob' });
    const { threadId, messageId } = await ada.rest.readyThread({ text: 'first' });
    const author = `query ($threadId: ID!, $id: ID!) { message(threadId: $threadId, id: $id) { author { id } } }`;
    const again = await new Branching(bob).regenerate(messageId);
    await ada.rest.answer({ threadId, messageId: again.messageId });
    const kept = await branching.graphql.data(author, { threadId, id: again.messageId });
    expect(kept.message.author?.id).toBe(ada.id);
    const edited = await new Branching(bob).edit(again.messageId, 'first, says Bob');
    await ada.rest.answer({ threadId, messageId: edited.messageId });
    const changed = await branching.graphql.data(author, { threadId, id: edited.messageId });
    expect(changed.message.author?.id).toBe(bob.id);
  });
});

describe('regenerateResponse', () => {
  it('sends the same message again, and asks with the same conversation', async ({ service, ada, branching }) => {
    service.model.enqueue([text('one')]);
    const { threadId, messageId } = await ada.rest.readyThread({ text: 'Say a number' });
    const before = service.model.lastRequest.body.messages;
    service.model.enqueue([text('two')]);
    const posted = await branching.regenerate(messageId);
    await ada.rest.answer({ threadId, messageId: posted.messageId });
    expect(service.model.lastRequest.body.messages).toEqual(before);
    expect(await textsOf(ada.rest, { threadId })).toEqual(['user: Say a number', 'assistant: two']);
  });

  it('follows a response that was stopped', async ({ service, ada, branching }) => {
    const { finish, ...sent } = await activeThread({ service, rest: ada.rest });
    const stop = 'mutation ($id: ID!) { stopResponse(messageId: $id) { __typename } }';
    await branching.graphql.data(stop, { id: sent.messageId });
    const posted = await branching.regenerate(sent.messageId);
    await ada.rest.answer({ threadId: sent.threadId, messageId: posted.messageId });
    // The stopped answer is shown again as it was; the thread goes on from there.
    expect(await branching.select(sent.messageId)).toMatchObject({ __typename: 'Thread', state: 'READY' });
    expect(await textsOf(ada.rest, sent)).toEqual(['user: Hi', 'assistant: Hel']);
    finish();
  });
});

describe('selectVariant', () => {
  it('shows the branch as it was left, and what is sent then continues it', async ({ service, ada, branching }) => {
    const { threadId, first, second } = await editedThread(service, ada, branching);
    service.model.enqueue([text('more')]);
    await ada.rest.answer(await ada.rest.send(threadId, 'And?'));
    expect(await branching.select(first)).toMatchObject({ state: 'READY', branchVersion: 2 });
    expect(await textsOf(ada.rest, { threadId })).toEqual(['user: walrus', 'assistant: one']);
    await branching.select(second);
    expect(await textsOf(ada.rest, { threadId })).toEqual([
      'user: seal',
      'assistant: two',
      'user: And?',
      'assistant: more',
    ]);
    await branching.select(first);
    await ada.rest.answer(await ada.rest.send(threadId, 'Go on'));
    expect((await textsOf(ada.rest, { threadId })).slice(0, 3)).toEqual([
      'user: walrus',
      'assistant: one',
      'user: Go on',
    ]);
  });

  it('changes nothing for the variant that is selected', async ({ service, ada, branching }) => {
    const { second } = await editedThread(service, ada, branching);
    expect(await branching.select(second)).toMatchObject({ branchVersion: 1 });
  });

  it('leaves whoever has read the newest message nothing to read', async ({ service, ada, branching }) => {
    const { threadId, first } = await editedThread(service, ada, branching);
    await branching.select(first);
    const mark = `mutation ($input: MarkThreadReadInput!) { markThreadRead(input: $input) {
      ... on Thread { isUnread } } }`;
    const { body } = await ada.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`);
    const input = { threadId, messageId: body.data.at(-1)?.id ?? '' };
    const { markThreadRead } = await branching.graphql.data(mark, { input });
    expect(markThreadRead.isUnread).toBe(false);
  });

  it('tells the pages of others that the branch has changed', async ({ service, ada, branching }) => {
    const { threadId, first } = await editedThread(service, ada, branching);
    const bob = new Branching(await colleagueOf(service, ada));
    const { results } = await bob.graphql.subscribe({
      query: `subscription ($id: ID!) { threadChanged(id: $id) { branchVersion } }`,
      variables: { id: threadId },
    });
    expect((await results.next()).value?.data?.threadChanged.branchVersion).toBe(1);
    await branching.select(first);
    expect((await results.next()).value?.data?.threadChanged.branchVersion).toBe(2);
    await results.return(undefined);
  });
});

describe('a message of a branch that is not selected', () => {
  it('is found by no reader', async ({ service, database, ada, branching }) => {
    const { threadId, first } = await editedThread(service, ada, branching);
    const answer = await database.message.findFirstOrThrow({ where: { replyToId: first } });
    const query = `query ($threadId: ID!, $id: ID!) { message(threadId: $threadId, id: $id) { id } }`;
    const failure = await branching.graphql.failure({ query, variables: { threadId, id: first } });
    expect(failure.extensions?.['code']).toBe('NOT_FOUND');
    const { node } = await branching.graphql.data(`query ($id: ID!) { node(id: $id) { id } }`, { id: answer.id });
    expect(node).toBeNull();
    const all = `query ($id: ID!) { thread(id: $id) { messages(first: 50, includeInactive: true) {
      edges { node { id } } } } }`;
    const { thread } = await branching.graphql.data(all, { id: threadId });
    expect(thread.messages.edges).toHaveLength(2);
    const path = `/threads/${threadId}/messages/${first}`;
    expect((await ada.rest.get<PollBody>(`${path}/response`)).status).toBe(404);
    expect((await ada.rest.fetch(`${path}/response/stream`)).status).toBe(404);
    const rated = await ada.rest.post(`/threads/${threadId}/messages/${answer.id}/feedback`, { positive: true });
    expect(rated.status).toBe(404);
    for (const [word, found] of [['walrus', 0] as const, ['seal', 1] as const]) {
      const { body } = await ada.rest.get<PageBody<ThreadBody>>(`/threads?q=${word}&limit=200`);
      expect(body.data.filter(({ id }) => id === threadId)).toHaveLength(found);
    }
    expect(await branching.edit(first, 'narwhal')).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('remains a position from which REST reads on', async ({ service, ada, branching }) => {
    const { threadId, first } = await editedThread(service, ada, branching);
    const { status, body } = await ada.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages?after=${first}`);
    expect([status, body.data.length]).toEqual([200, 2]);
  });
});

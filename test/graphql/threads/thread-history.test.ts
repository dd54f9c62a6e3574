/** What `Thread.history` tells of the responses of a thread, and whom. */
import { describe, expect } from 'vitest';
import { stateOf } from '../../modules/viewing/response-facts.js';
import { it } from '../../support/fixtures/service.js';
import { breakConnection, gate, text, wait } from '../../support/model/model-script.js';

const read = 'query Read($id: ID!) { thread(id: $id) { history { what attempt messageId cause } } }';

describe('Thread.history', () => {
  it('names each change of a response, in order, also of a second attempt', async ({ service, ada, graphql }) => {
    service.model.enqueue([text('Hel'), breakConnection()], [text('Hello')]);
    const sent = await ada.rest.createThread({ text: 'Hi' });
    await expect.poll(() => stateOf(ada.rest, sent)).toBe('ready');
    const { thread } = await graphql.data(read, { id: sent.threadId });
    expect(thread.history?.map(({ what }) => what)).toEqual(['QUEUED', 'STARTED', 'RESTARTED', 'SUCCEEDED']);
    expect(thread.history?.map(({ messageId }) => messageId)).toEqual(Array(4).fill(sent.messageId));
  });

  it('names a failure with its cause, and an interruption with what followed it', async ({ service, ada, graphql }) => {
    service.model.enqueue([{ do: 'finish', reason: 'content_filter' }]);
    const failed = await ada.rest.createThread({ text: 'Hi' });
    await ada.rest.streamToEnd(failed);
    const of = async (id: string) => (await graphql.data(read, { id })).thread.history?.slice(2);
    expect(await of(failed.threadId)).toMatchObject([{ what: 'FAILED', cause: expect.stringMatching(/./) }]);

    const held = gate();
    service.model.enqueue([text('Hel'), wait(held.passed)]);
    const stopped = await ada.rest.createThread({ text: 'Hi' });
    await expect.poll(() => stateOf(ada.rest, stopped)).toBe('active');
    const stop = 'mutation Stop($id: ID!) { stopResponse(messageId: $id) { __typename } }';
    await graphql.data(stop, { id: stopped.messageId });
    held.open();
    await ada.rest.streamToEnd(stopped);
    const resume = 'mutation Resume($id: ID!) { resumeThread(id: $id) { __typename } }';
    await graphql.data(resume, { id: stopped.threadId });
    expect((await of(stopped.threadId))?.map(({ what }) => what)).toEqual(['INTERRUPTED', 'RESUMED']);
  });
});

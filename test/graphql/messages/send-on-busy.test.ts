import { describe, expect } from 'vitest';
import type { InputOf } from '../../../src/graphql/document-types/document-types.js';
import { textsOf } from '../../modules/viewing/response-facts.js';
import { activeThread } from '../../rest/threads/thread-stages.js';
import { it } from '../../support/fixtures/service.js';
import type { Person } from '../../support/service.js';

const mutation = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  __typename ... on PostedMessage { messageId } ... on ThreadNotReadyError { state } } }`;

async function send({ graphql }: Person, input: InputOf<typeof mutation>['input']) {
  return (await graphql.data(mutation, { input })).sendMessage;
}

describe('sendMessage(onBusy)', () => {
  it('REJECT, the default, refuses while a response is under way', async ({ service, ada }) => {
    const busy = await activeThread({ service, rest: ada.rest });
    expect(await send(ada, { threadId: busy.threadId, text: 'second' })).toEqual({
      __typename: 'ThreadNotReadyError',
      state: 'ACTIVE',
    });
    busy.finish();
    await ada.rest.answer(busy);
  });

  it('INTERRUPT stops the response, keeps its text, and gives the model both', async ({ service, ada }) => {
    const { threadId } = await activeThread({ service, rest: ada.rest });
    const { messageId } = await send(ada, { threadId, text: 'second', onBusy: 'INTERRUPT' });
    await ada.rest.answer({ threadId, messageId });
    const outline = ['user: Hi', 'assistant: Hel', 'user: second', 'assistant: Hello from the model.'];
    expect(await textsOf(ada.rest, { threadId })).toEqual(outline);
    const sent = service.model.lastRequest.body.messages.map(({ role }) => role);
    expect(sent.filter((role) => role !== 'system')).toEqual(['user', 'assistant', 'user']);
  });

  it('INTERRUPT by many at once sends each once at most, and leaves one response', async ({ service, ada }) => {
    const { threadId } = await activeThread({ service, rest: ada.rest });
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, index) => send(ada, { threadId, text: `rival ${index}`, onBusy: 'INTERRUPT' })),
    );
    const accepted = outcomes.filter((outcome) => outcome.__typename === 'PostedMessage');
    expect(accepted.length).toBeGreaterThan(0);
    for (const { messageId } of accepted) await ada.rest.streamToEnd({ threadId, messageId });
    const texts = await textsOf(ada.rest, { threadId });
    expect(texts.filter((line) => line.startsWith('user:'))).toHaveLength(1 + accepted.length);
  });
});

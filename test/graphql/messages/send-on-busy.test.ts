import { describe, expect } from 'vitest';
import type { MessageBody, PageBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import { gate, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';

const mutation = `mutation ($input: SendMessageInput!) { sendMessage(input: $input) {
  __typename ... on PostedMessage { messageId } ... on ThreadNotReadyError { state } } }`;

async function send(
  service: TestService,
  ada: Person,
  input: { threadId: string; text: string; onBusy?: 'REJECT' | 'INTERRUPT' },
) {
  const response = await fetch(`${service.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` },
    body: JSON.stringify({ query: mutation, variables: { input } }),
  });
  const { data } = (await response.json()) as { data: { sendMessage: { __typename: string; messageId: string } } };
  return data.sendMessage;
}

/** A thread whose response has the text "half " and waits for its model. */
async function busyThread(service: TestService, ada: Person) {
  const held = gate();
  service.model.enqueue([text('half '), wait(held.passed), text('an answer')]);
  const sent = await ada.rest.createThread({ text: 'first' });
  const events = await ada.rest.stream(sent);
  await events.next();
  await events.return(undefined);
  return { ...sent, open: held.open };
}

describe('sendMessage(onBusy)', () => {
  it('REJECT, the default, refuses while a response is under way', async ({ service, ada }) => {
    const busy = await busyThread(service, ada);
    expect(await send(service, ada, { threadId: busy.threadId, text: 'second' })).toEqual({
      __typename: 'ThreadNotReadyError',
      state: 'ACTIVE',
    });
    busy.open();
    await ada.rest.answer(busy);
  });

  it('INTERRUPT stops the response, keeps its text, and gives the model both', async ({ service, ada }) => {
    const { threadId } = await busyThread(service, ada);
    const { messageId } = await send(service, ada, { threadId, text: 'second', onBusy: 'INTERRUPT' });
    await ada.rest.answer({ threadId, messageId });
    const { body } = await ada.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`);
    expect(body.data.map(({ role, contents }) => [role, contents[0]?.type === 'text' && contents[0].text])).toEqual([
      ['user', 'first'],
      ['assistant', 'half '],
      ['user', 'second'],
      ['assistant', 'Hello from the model.'],
    ]);
    const sent = service.model.lastRequest.body.messages.map(({ role }) => role);
    expect(sent.filter((role) => role !== 'system')).toEqual(['user', 'assistant', 'user']);
  });

  it('INTERRUPT by many at once sends each message at most once, and leaves at most one response live', async ({
    service,
    ada,
  }) => {
    const { threadId } = await busyThread(service, ada);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        send(service, ada, { threadId, text: `rival ${index}`, onBusy: 'INTERRUPT' }),
      ),
    );
    const accepted = outcomes.filter((outcome) => outcome.__typename === 'PostedMessage');
    expect(accepted.length).toBeGreaterThan(0);
    for (const { messageId } of accepted) await ada.rest.streamToEnd({ threadId, messageId });
    const { body } = await ada.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages`);
    expect(body.data.filter(({ role }) => role === 'user')).toHaveLength(1 + accepted.length);
  });
});

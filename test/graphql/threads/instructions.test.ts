/** The owner of a thread tells the model what to heed in it. */
import { describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';

const it = serviceTest({ environment: { AI_SYSTEM_PROMPT: 'Operator first.' } });

const set = `mutation ($id: ID!, $instructions: String) { setThreadInstructions(input: {id: $id, instructions: $instructions}) {
  __typename ... on Thread { instructions } ... on Error { message } } }`;

async function answered(ada: Person) {
  const sent = await ada.rest.createThread({ text: 'Hi' });
  await ada.rest.answer(sent);
  return sent;
}

const systemOf = ({ model }: TestService) =>
  model.requests
    .at(-1)
    ?.body.messages.filter(({ role }) => role === 'system')
    .map(({ content }) => content);

describe('the instructions of a thread', () => {
  it("reach the model after the operator's own, from the next response on", async ({ service, ada, graphql }) => {
    const { threadId: id, messageId } = await answered(ada);
    expect(systemOf(service)).toEqual(['Operator first.']);
    const { setThreadInstructions } = await graphql.data(set, { id, instructions: 'Answer in verse.' });
    expect(setThreadInstructions).toEqual({ __typename: 'Thread', instructions: 'Answer in verse.' });
    await ada.rest.answer(await ada.rest.send(id, 'Again'));
    expect(systemOf(service)).toEqual(['Operator first.\n\nAnswer in verse.']);
    const again = `mutation ($id: ID!) { regenerateResponse(input: {messageId: $id}) { ... on PostedMessage { threadId messageId } } }`;
    const { regenerateResponse } = await graphql.data(again, { id: messageId });
    await ada.rest.answer(regenerateResponse);
    expect(systemOf(service)).toEqual(['Operator first.\n\nAnswer in verse.']);
  });

  it('are removed by null, and by nothing else', async ({ service, ada, graphql }) => {
    const { threadId: id } = await answered(ada);
    await graphql.data(set, { id, instructions: 'Be brief.' });
    const { setThreadInstructions: forgotten } = await graphql.data(set, { id });
    expect(forgotten.message).toBe('instructions: is required; pass null to remove them');
    const { setThreadInstructions: blank } = await graphql.data(set, { id, instructions: ' \n' });
    expect(blank.message).toBe('instructions: must not be empty');
    const { setThreadInstructions } = await graphql.data(set, { id, instructions: null });
    expect(setThreadInstructions).toEqual({ __typename: 'Thread', instructions: null });
    await ada.rest.answer(await ada.rest.send(id, 'Again'));
    expect(systemOf(service)).toEqual(['Operator first.']);
  });

  it.for([
    ['is longer than 4000 characters', 'x'.repeat(4001), 'instructions: must be at most 4000 characters long'],
    ['has U+0000', 'a\u0000b', 'instructions: must not contain the character U+0000'],
    ['has half a character', 'a\ud800', 'instructions: must not contain unpaired surrogates'],
  ] as const)('are refused if the text %s', async ([, instructions, message], { ada, graphql }) => {
    const { threadId: id } = await answered(ada);
    expect((await graphql.data(set, { id, instructions })).setThreadInstructions.message).toBe(message);
  });

  it('go on in a thread that continues it', async ({ ada, graphql }) => {
    const { threadId: id } = await answered(ada);
    await graphql.data(set, { id, instructions: 'Be brief.' });
    const goOn = `mutation ($id: ID!) { continueThread(input: {threadId: $id, text: "On"}) { ... on PostedMessage { thread { instructions } } } }`;
    const { continueThread } = await graphql.data(goOn, { id });
    expect(continueThread.thread.instructions).toBe('Be brief.');
  });
});

/** What the model thought is stored with its answer: for GraphQL alone, bounded, and never given to a model again. */
import { describe, expect } from 'vitest';
import { maximumReasoning } from '../../../src/contract.js';
import { serviceAlone } from '../../support/fixtures/service.js';
import { reasoning, text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';
import { newcomer } from '../../support/threads.js';

const it = serviceAlone({});

const query = `query ($id: ID!) { thread(id: $id) { messages(first: 10) {
  edges { node { role hasReasoning reasoning } } } } }`;

async function thoughtsOf({ graphql }: Person, id: string) {
  const { thread } = await graphql.data(query, { id });
  return thread.messages.edges.map(({ node }) => [node.role, node.hasReasoning, node.reasoning]);
}

describe('Message.reasoning', () => {
  it('has what the model thought before its answer, which neither REST nor the model is given', async ({ service }) => {
    const ada = await newcomer(service);
    service.model.enqueue([reasoning('Tea has '), reasoning('three letters.'), text('Three.')], [text('Yes.')]);
    const sent = await ada.rest.createThread({ text: 'How many letters has tea?' });
    const messages = await ada.rest.answer(sent);
    expect(await thoughtsOf(ada, sent.threadId)).toEqual([
      ['USER', false, null],
      ['ASSISTANT', true, 'Tea has three letters.'],
    ]);
    expect(JSON.stringify(messages)).not.toContain('three letters');
    await ada.rest.answer(await ada.rest.send(sent.threadId, 'Sure?'));
    expect(JSON.stringify(service.model.lastRequest)).not.toContain('three letters');
  });

  it('is cut at its maximum, never within a character, while the answer stays whole', async ({ service }) => {
    const ada = await newcomer(service);
    service.model.enqueue([reasoning('x'.repeat(maximumReasoning - 1)), reasoning('😀 and more'), text('Done.')]);
    const sent = await ada.rest.createThread({ text: 'Think long' });
    await ada.rest.answer(sent);
    const [, answer] = await thoughtsOf(ada, sent.threadId);
    expect(String(answer?.[2])).toHaveLength(maximumReasoning);
    expect(String(answer?.[2]).isWellFormed()).toBe(true);
  });

  it('goes with its thread', async ({ service, database }) => {
    const ada = await newcomer(service);
    service.model.enqueue([reasoning('Hm.'), text('Fine.')]);
    const sent = await ada.rest.createThread({ text: 'Think' });
    await ada.rest.answer(sent);
    const where = { message: { threadId: sent.threadId } };
    expect(await database.messageReasoning.count({ where })).toBe(1);
    await ada.graphql.data('mutation ($id: ID!) { deleteThread(id: $id) { __typename } }', { id: sent.threadId });
    expect(await database.messageReasoning.count({ where })).toBe(0);
  });
});

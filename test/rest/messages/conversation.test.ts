import { describe, expect } from 'vitest';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import { text, toolCall } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { storeMessages } from './stored-messages.js';

/** What the model was told last, without the instructions of the operator. */
function told(service: TestService) {
  return service.model.lastRequest.body.messages.filter((message) => message.role !== 'system');
}

async function say(ada: Person, threadId: string, words: string): Promise<void> {
  await ada.rest.answer(await ada.rest.send(threadId, words));
}

const question = { question: 'Tea or coffee?', choices: ['Tea', 'Coffee'] };
const asks = toolCall({ id: 'call_1', name: 'user_get_choice', arguments: question });

describe('a conversation of several turns', () => {
  it('goes to the model as a whole, with its turns in order', async ({ service, ada }) => {
    service.model.enqueue([text('One.')], [text('Two.')], [text('Three.')]);
    const { threadId } = await ada.rest.readyThread({ text: 'First' });
    expect(told(service)).toEqual([{ role: 'user', content: 'First' }]);
    await say(ada, threadId, 'Second');
    await say(ada, threadId, 'Third');
    expect(told(service)).toEqual([
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'Second' },
      { role: 'assistant', content: 'Two.' },
      { role: 'user', content: 'Third' },
    ]);
  });

  it('holds nothing of any other thread', async ({ service, ada }) => {
    await ada.rest.readyThread({ text: 'Something else' });
    const { threadId } = await ada.rest.readyThread({ text: 'First' });
    await say(ada, threadId, 'Second');
    expect(JSON.stringify(told(service))).not.toContain('Something else');
  });

  it('goes with a summary in place of the messages that it replaced', async ({ service, database, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'Long ago' });
    await storeMessages(service, threadId, [{ role: 'summary', contents: [{ type: 'text', text: 'They greeted.' }] }]);
    await database.message.updateMany({ where: { threadId, role: { not: 'summary' } }, data: { active: false } });
    await say(ada, threadId, 'Go on');
    expect(told(service)).toEqual([{ role: 'user', content: expect.stringMatching(/They greeted\.\n\nGo on$/) }]);
  });
});

describe('a question of the assistant', () => {
  it('is a message like any other: the thread is ready for the answer', async ({ service, ada }) => {
    service.model.enqueue([text('Before I start:'), ...asks]);
    const sent = await ada.rest.createThread({ text: 'Make a drink' });
    const [message] = await ada.rest.answer(sent);
    expect(message?.contents).toEqual([
      { type: 'text', text: 'Before I start:' },
      { type: 'user_get_choice', tool_use_id: 'call_1', ...question },
    ]);
    expect((await ada.rest.get<ThreadBody>(`/threads/${sent.threadId}`)).body.state).toBe('ready');
  });

  it('may come without any text', async ({ service, ada }) => {
    service.model.enqueue(asks);
    const [message] = await ada.rest.answer(await ada.rest.createThread({ text: 'Make a drink' }));
    expect(message?.contents).toEqual([{ type: 'user_get_choice', tool_use_id: 'call_1', ...question }]);
  });

  it('is answered by the next user message, as the result of the call', async ({ service, ada }) => {
    service.model.enqueue(asks, [text('Here is your tea.')]);
    const { threadId } = await ada.rest.readyThread({ text: 'Make a drink' });
    await say(ada, threadId, 'Tea');
    const call = {
      id: 'q00000001',
      type: 'function',
      function: { name: 'user_get_choice', arguments: expect.any(String) },
    };
    expect(told(service)).toEqual([
      { role: 'user', content: 'Make a drink' },
      expect.objectContaining({ role: 'assistant', tool_calls: [call] }),
      { role: 'tool', tool_call_id: 'q00000001', content: 'Tea' },
    ]);
    expect(JSON.parse(told(service)[1]?.tool_calls?.[0]?.function.arguments ?? '')).toEqual(question);
    await say(ada, threadId, 'Thanks');
    expect(told(service).map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });
});

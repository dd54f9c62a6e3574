import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toModelMessages } from '../../src/assistant/prompt.js';
import type { ContentBlock } from '../../src/modules/messages/content.js';
import type { ConversationMessage } from '../../src/modules/responses/generation/processor.js';
import { propertyRuns } from '../support/case-counts.js';
import { type ModelServer, startModelServer } from '../support/model/model-server.js';
import { assistant, listen, processorAt, question, summary, user } from './listening.js';

const tea = question('call_tea', 'Which?', 'Tea', 'Coffee');
const milk = question('call_milk', 'Milk?', 'Yes', 'No');

/** Each tool result of the prompt: the id of its call, and what it says. */
function resultsOf(conversation: ConversationMessage[]): [string, unknown][] {
  const parts = toModelMessages(conversation).flatMap((message) => (message.role === 'tool' ? message.content : []));
  return parts.map((part) => (part.type === 'tool-result' ? [part.toolCallId, part.output] : [part.type, part]));
}

const said = (value: string) => ({ type: 'text', value });
const saidByUser = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] });

describe('a question in the history', () => {
  it('has the next user message as its result, which appears nowhere else', () => {
    const messages = toModelMessages([user('Hi'), assistant('', tea), user('Tea'), assistant('Good.'), user('Thanks')]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(resultsOf([user('Hi'), assistant('', tea), user('Tea')])).toEqual([['q00000001', said('Tea')]]);
  });

  it('asked together with another one shares its answer', () => {
    expect(resultsOf([assistant('', tea, milk), user('Tea, with milk')])).toEqual([
      ['q00000001', said('Tea, with milk')],
      ['q00000002', said('The user answered this together with the first question.')],
    ]);
  });

  it.each([
    ['at the end', [assistant('', tea)]],
    ['before another message of the assistant', [assistant('', tea), assistant('Never mind.')]],
    ['before a summary', [assistant('', tea), summary('They spoke of tea.')]],
  ])('that nobody answered has a result that says so: %s', (_case, conversation) => {
    expect(resultsOf(conversation)).toEqual([['q00000001', said('The user gave no answer.')]]);
  });

  it('is directly followed by its result', () => {
    const messages = toModelMessages([
      assistant('', tea),
      summary('They spoke of tea.'),
      assistant('', milk),
      assistant('Well?'),
    ]);
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user', 'assistant', 'tool', 'assistant']);
  });

  it('has an id of nine letters and digits, by its place', () => {
    const ids = resultsOf([assistant('', tea, tea), user('1'), assistant('', tea), user('2')]).map(([id]) => id);
    expect(ids).toEqual(['q00000001', 'q00000002', 'q00000003']);
  });
});

describe('a message', () => {
  it('of the assistant without text is left out', () => {
    expect(toModelMessages([user('One'), assistant(''), assistant(' \n'), user('Two')])).toEqual([
      saidByUser('One'),
      saidByUser('Two'),
    ]);
  });

  it('of the user without text is replaced by a note', () => {
    expect(toModelMessages([user(' ')])).toEqual([saidByUser('[The message is empty.]')]);
  });

  it('keeps its text unchanged', () => {
    expect(toModelMessages([user('  indented\n')])).toEqual([saidByUser('  indented\n')]);
  });

  it('names its attachments', () => {
    const contents: ContentBlock[] = [
      { type: 'text', text: 'Look.' },
      { type: 'image', attachmentId: 'att_1' },
      { type: 'document', attachmentId: 'att_2' },
    ];
    expect(toModelMessages([{ role: 'user', contents }])).toEqual([
      saidByUser(
        'Look.\n\n[Attached image; its content is not part of this conversation.]\n\n' +
          '[Attached document; its content is not part of this conversation.]',
      ),
    ]);
  });
});

describe('any history', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  const words = fc.constantFrom('', ' ', 'Tea', 'a\nb', '😀');
  const block: fc.Arbitrary<ContentBlock> = fc.oneof(
    words.map((text) => ({ type: 'text' as const, text })),
    fc.constant({ type: 'image' as const, attachmentId: 'att_1' }),
    fc.constantFrom('call_1', 'call_2', 'odd id').map((id) => question(id, 'Which?', 'Tea', 'Coffee')),
  );
  const message: fc.Arbitrary<ConversationMessage> = fc.record({
    role: fc.constantFrom('user', 'assistant', 'summary'),
    contents: fc.array(block, { maxLength: 3 }),
  });

  const readAttachments = async () =>
    new Map([['att_1', { name: 'a.png', mediaType: 'image/png', size: 5, read: async () => Buffer.from('image') }]]);

  it('is one that a strict server accepts', async () => {
    const conversations = fc.array(message, { maxLength: 6 }).map((messages) => [...messages, user('And now?')]);
    await fc.assert(
      fc.asyncProperty(conversations, async (conversation) => {
        const before = server.requests.length;
        expect((await listen(processorAt(server, { readAttachments }), conversation)).error?.cause).toBeUndefined();
        expect(server.requests.length - before).toBe(1);
      }),
      { numRuns: propertyRuns(60) },
    );
  });
});

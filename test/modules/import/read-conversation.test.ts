/** What is read from the exports of other services: the branch that was shown, with everything that is left out counted. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importLimits, importRefusals } from '../../../src/modules/import/file/import-limits.js';
import { type ReadConversation, readConversation } from '../../../src/modules/import/read-conversation.js';
import { conversationsIn, jsonOf } from './exports.js';

function read(value: unknown): ReadConversation {
  const conversation = readConversation(jsonOf(value));
  if ('refusal' in conversation) throw new Error(`It is left out: ${conversation.refusal}`);
  return conversation;
}

const said = ({ messages }: ReadConversation) => messages.map(({ role, text }) => `${role}: ${text}`);

describe('a conversation of ChatGPT', () => {
  const [tea, broken, picture, archived] = conversationsIn('chatGpt');

  it('is its active branch, without tools, thoughts, instructions and files, which are counted', () => {
    const conversation = read(tea);
    expect(conversation).toMatchObject({ key: 'chatgpt:6553f100-0000-8000-8000-000000000001', isArchived: false });
    expect([conversation.title, conversation.createdAt?.toISOString()]).toEqual([
      'Tea in the afternoon',
      '2023-11-14T22:13:20.250Z',
    ]);
    expect(said(conversation)).toEqual([
      'user: Which tea is in the picture?',
      'assistant: It is **Sencha**.',
      'assistant: Steep it at 70 °C.',
      'user: Thank you, umbrella weather today',
      'assistant: Enjoy it.',
    ]);
    expect(conversation.messages[1]).toMatchObject({ model: 'gpt-4o', createdAt: new Date('2023-11-14T22:13:30Z') });
    expect(conversation.leftOut).toEqual({ branch: 1, system: 1, tool: 2, reasoning: 1, file: 1 });
  });

  it('is left out if it is malformed, or has no text', () => {
    expect(readConversation(jsonOf(broken))).toEqual({ refusal: 'malformed' });
    expect(readConversation(jsonOf(picture))).toEqual({ refusal: 'empty' });
    expect(readConversation(new TextEncoder().encode('{"mapping": {'))).toEqual({ refusal: 'malformed' });
    expect(readConversation(Uint8Array.of(0x7b, 0xff, 0x7d))).toEqual({ refusal: 'malformed' });
  });

  it('has the model of each answer, which is that of the conversation where the answer names none', () => {
    const says = (role: string, about: object) => ({
      author: { role },
      content: { content_type: 'text', parts: ['Hi'] },
      ...about,
    });
    const mapping = {
      a: { parent: null, message: says('user', {}) },
      b: { parent: 'a', message: says('assistant', {}) },
      c: { parent: 'b', message: says('assistant', { metadata: { model_slug: 'gpt-4o' } }) },
    };
    const { messages } = read({ mapping, current_node: 'c', default_model_slug: 'gpt-5' });
    expect(messages.map(({ model }) => model)).toEqual([null, 'gpt-5', 'gpt-4o']);
  });

  it('may be archived, and without a title or an end', () => {
    expect(read(archived)).toMatchObject({ title: null, isArchived: true });
  });
});

describe('a chat of Open WebUI', () => {
  const [bread, broken] = conversationsIn('openWebUi');

  it('is its active branch, without thoughts and tools inside of texts', () => {
    const conversation = read(bread);
    expect(said(conversation)).toEqual(['user: How do I bake bread?', 'assistant: With flour, water and *salt*.']);
    expect(conversation.messages[1]).toMatchObject({
      model: 'llama3.2:latest',
      createdAt: new Date('2024-03-09T16:00:20Z'),
    });
    expect(conversation.leftOut).toEqual({ branch: 1, tool: 1, reasoning: 1, file: 1, empty: 1 });
    expect(readConversation(jsonOf(broken))).toEqual({ refusal: 'malformed' });
  });

  it('may have a list of messages only', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'image_url' }] },
      { role: 'assistant', content: 'Hello' },
    ];
    const conversation = read({ title: 'Old', chat: { messages } });
    expect(said(conversation)).toEqual(['user: Hi', 'assistant: Hello']);
    expect(conversation.leftOut).toEqual({ system: 1, file: 1 });
  });
});

describe('a conversation of LibreChat', () => {
  const [boats] = conversationsIn('libreChat') as { messages: { messageId: string; parentMessageId: string }[] }[];

  it('is the branch with the newest message', () => {
    const conversation = read(boats);
    expect(said(conversation)).toEqual(['user: What floats?', 'assistant: Boats float.']);
    expect(conversation.leftOut).toEqual({ branch: 1, file: 1 });
    expect(conversation.messages[0]?.createdAt).toEqual(new Date('2024-05-01T10:00:00Z'));
  });

  it('has the text and the parts of the content of a message', () => {
    const conversation = read({ ...boats, messages: boats?.messages.slice(0, 2) });
    expect(said(conversation)).toEqual(['user: What floats?', 'assistant: Wood floats.']);
    expect(conversation.leftOut).toEqual({ reasoning: 1, tool: 1, file: 2 });
  });

  it('may be a tree, as deep as it is long', () => {
    const messages = Array.from({ length: 2000 }, (_, at) => ({
      messageId: `m${at}`,
      isCreatedByUser: at % 2 === 0,
      text: `Message ${at}`,
    }));
    const nested = messages.reduceRight<unknown[]>((children, message) => [{ ...message, children }], []);
    const tree = `{"conversationId": "c", "recursive": true, "messagesTree": ${serialized(nested)}}`;
    const conversation = readConversation(new TextEncoder().encode(tree)) as ReadConversation;
    expect(said(conversation)).toEqual(said(read({ conversationId: 'c', messages })));
    expect(conversation.messages).toHaveLength(2000);
  });
});

/** `JSON.stringify` would exceed the stack. */
function serialized(nested: unknown): string {
  let [json, end] = ['', ''];
  for (let list = nested as { children: unknown }[]; list[0]; list = list[0].children as typeof list) {
    const { children: _, ...message } = list[0];
    json += `[${JSON.stringify(message).slice(0, -1)},"children":`;
    end = `}]${end}`;
  }
  return `${json}[]${end}`;
}

const line = (messages: object[]) => ({ conversationId: 'c', title: 'T', messages });
const from = (text: string) => ({ isCreatedByUser: true, text });

describe('the limits of an import', () => {
  it('leave out a message that is too long, and the whole conversation if all of them are too much', () => {
    const long = read(line([from('🦆'.repeat(100_000)), from('x'.repeat(100_001))]));
    expect([long.messages.length, long.leftOut]).toEqual([1, { too_long: 1 }]);
    const { messages, characters } = importLimits;
    const many = Array.from({ length: messages + 1 }, () => from('x'));
    const much = Array.from({ length: characters / 100_000 + 1 }, () => from('x'.repeat(100_000)));
    for (const given of [many, much]) expect(readConversation(jsonOf(line(given)))).toEqual({ refusal: 'too_large' });
    expect(read(line(many.slice(1))).messages).toHaveLength(messages);
  });

  it('cut a title, and replace what PostgreSQL cannot store', () => {
    const conversation = read({ ...line([from('a\u0000b\ud800c')]), title: '🦆'.repeat(300) });
    expect(conversation.title).toBe('🦆'.repeat(255));
    expect(conversation.messages[0]?.text).toBe('a\ufffdb\ufffdc');
  });

  it('end a circle of messages', () => {
    const circle = [
      { ...from('One'), messageId: '1', parentMessageId: '2' },
      { ...from('Two'), messageId: '2', parentMessageId: '1' },
      { ...from('Three'), messageId: '3', parentMessageId: '2' },
    ];
    expect(said(read(line(circle)))).toEqual(['user: One', 'user: Two', 'user: Three']);
  });

  it('hold for any JSON, also in the place of any value of an export', () => {
    const samples = (['chatGpt', 'openWebUi', 'libreChat'] as const).flatMap(conversationsIn);
    const value = fc.jsonValue({ maxDepth: 4, noUnicodeString: false });
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(), value), { maxLength: 4 }),
        (sample, changes) => {
          const changed = changes.reduce((json, [at, replacement]) => replaced(json, at, replacement), sample);
          const conversation = readConversation(jsonOf(changed));
          if ('refusal' in conversation) expect(importRefusals).toContain(conversation.refusal);
          else expectBounded(conversation);
        },
      ),
      { numRuns: 300 },
    );
  });
});

/** The value with one of the values in it replaced. */
function replaced(value: unknown, at: number, replacement: unknown): unknown {
  const paths: string[][] = [];
  const walk = (inner: unknown, path: string[]) => {
    paths.push(path);
    if (typeof inner === 'object' && inner !== null) {
      for (const [key, item] of Object.entries(inner)) walk(item, [...path, key]);
    }
  };
  walk(value, []);
  const path = paths[at % paths.length] ?? [];
  const copy = { root: structuredClone(value) } as Record<string, unknown>;
  const keys = ['root', ...path];
  const last = keys.pop() ?? 'root';
  const parent = keys.reduce<Record<string, unknown>>((inner, key) => inner[key] as Record<string, unknown>, copy);
  parent[last] = replacement;
  return copy['root'];
}

function expectBounded({ key, title, messages, createdAt }: ReadConversation): void {
  expect(key.length).toBeLessThanOrEqual(120);
  expect([...(title ?? '')].length).toBeLessThanOrEqual(255);
  expect(messages.length).toBeGreaterThan(0);
  expect(messages.length).toBeLessThanOrEqual(importLimits.messages);
  expect(JSON.stringify([createdAt, messages])).not.toMatch(/\\u0000|\\ud[89a-f]/);
  for (const { text } of messages) expect(text.trim()).not.toBe('');
}

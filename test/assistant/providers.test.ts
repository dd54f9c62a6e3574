import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProcessor, createProcessors } from '../../src/assistant/create-processor.js';
import { modelChoices, readModelList } from '../../src/assistant/model-list.js';
import { parseModelName } from '../../src/assistant/model-name.js';
import type { GenerationEvent, Processor } from '../../src/modules/responses/generation/processor.js';
import { assistant, listen, question, user } from './listening.js';

/** Streamed answers in the providers' own wire formats, written by hand after their documentation and the AI SDK's schemas. */

const choice = { question: 'Which?', choices: ['Tea', 'Coffee'] };

/**
 * The frames of "Hello" and a question, written by hand after the documentation of the providers and the schemas of the AI SDK. Without
 * the last one the answer is cut off.
 */
const answers: Record<string, object[]> = {
  'openai:gpt-4.1': [
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'gpt-4.1' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm' } },
    { type: 'response.output_text.delta', item_id: 'm', delta: 'Hello' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'm' } },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { type: 'function_call', id: 'f', call_id: 'c1', name: 'user_get_choice', arguments: '' },
    },
    {
      type: 'response.output_item.done',
      output_index: 1,
      item: {
        type: 'function_call',
        id: 'f',
        call_id: 'c1',
        name: 'user_get_choice',
        arguments: JSON.stringify(choice),
        status: 'completed',
      },
    },
    { type: 'response.completed', response: { usage: { input_tokens: 7, output_tokens: 3 } } },
  ],
  'anthropic:claude-sonnet-4-5': [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [],
        stop_reason: null,
        usage: { input_tokens: 7, output_tokens: 0 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 'c1', name: 'user_get_choice', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(choice) },
    },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 3 } },
    { type: 'message_stop' },
  ],
  'google:gemini-2.5-flash': [
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] } }] },
    {
      candidates: [
        { content: { role: 'model', parts: [{ functionCall: { name: 'user_get_choice', args: choice } }] } },
      ],
    },
    {
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3 },
    },
  ],
};

interface Reply {
  status?: number;
  frames: object[];
  /** What is sent before the frames, and until when they wait. */
  before?: { bytes: string; until: Promise<void> };
}

let server: Server;
let reply: Reply;
let sent: unknown;
let from: { url: string | undefined; key: string | undefined; team: unknown };

beforeEach(async () => {
  server = createServer(async (request, response) => {
    from = { url: request.url, key: request.headers.authorization, team: request.headers['x-team'] };
    sent = await json(request);
    const { status = 200, frames, before } = reply;
    response.writeHead(status, { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' });
    if (status !== 200) return response.end(JSON.stringify(frames[0]));
    response.write(before?.bytes ?? '');
    await before?.until;
    response.end(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function processorFor(model: string): Promise<Processor> {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return createProcessor({ model, baseUrl, apiKey: 'key', headers: { 'x-team': 'two' }, systemPrompt: 'Be kind.' });
}

describe.each(Object.entries(answers))('%s', (model, frames) => {
  it('gives text, a question and token counts', async () => {
    reply = { frames };
    const { text, events, error } = await listen(processorFor(model), 'Hi');
    expect(error).toBeUndefined();
    expect(text).toBe('Hello');
    expect(from.team).toBe('two');
    expect(events).toContainEqual({ type: 'usage', inputTokens: 7, outputTokens: 3 });
    expect(events.at(-1)).toMatchObject({ type: 'choice', ...choice });
  });

  it('reports a lost connection if its stream ends early, at any point', async () => {
    for (let length = 0; length < frames.length; length += 1) {
      reply = { frames: frames.slice(0, length) };
      const { error, events } = await listen(processorFor(model), 'Hi');
      expect(error, `after ${length} frames`).toMatchObject({ code: 'model_connection_lost', retryable: true });
      expect(events.filter(({ type }) => type === 'choice')).toEqual([]);
    }
  });

  it.each([
    ['a comment', ': keep-alive\n\n'],
    ['a ping', 'event: ping\ndata: {"type":"ping"}\n\n'],
  ])('shows by %s that it is alive, before it says anything', async (_name, bytes) => {
    let goOn: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    reply = { frames, before: { bytes, until } };
    const events: GenerationEvent[] = [];
    const heard = listen(processorFor(model), 'Hi', { events });
    try {
      await expect.poll(() => events).toEqual([{ type: 'thinking', text: '', hiddenBytes: 0 }]);
    } finally {
      goOn();
    }
    expect(await heard).toMatchObject({ text: 'Hello', error: undefined });
  });

  it('gets a history in which every question has its answer', async () => {
    reply = { frames };
    const conversation = [user('Hi'), assistant('', question('call_9', 'Which?', 'Tea', 'Coffee')), user('Tea')];
    expect((await listen(processorFor(model), conversation)).error).toBeUndefined();
    expect(JSON.stringify(sent)).toContain('user_get_choice');
    expect(JSON.stringify(sent)).toContain('"Tea"');
  });

  it('takes tags of thinking at the beginning of the text for thinking', async () => {
    const words = JSON.stringify(frames).replace('Hello', '<think>Hm.</think>Hello');
    reply = { frames: JSON.parse(words) as object[] };
    const { text, thinking } = await listen(processorFor(model), 'Hi');
    expect({ text, thinking }).toEqual({ text: 'Hello', thinking: 'Hm.' });
  });

  it('reads a question that its own words describe in another way', async () => {
    const other = { question: 'Which?', options: [{ label: 'Tea' }, 2] };
    const [escaped, plain] = [JSON.stringify(JSON.stringify(other)), JSON.stringify(other)];
    const words = JSON.stringify(frames)
      .replaceAll(JSON.stringify(JSON.stringify(choice)), escaped)
      .replaceAll(JSON.stringify(choice), plain);
    reply = { frames: JSON.parse(words) as object[] };
    const { events } = await listen(processorFor(model), 'Hi');
    expect(events.at(-1)).toMatchObject({ type: 'choice', question: 'Which?', choices: ['Tea', '2'] });
  });

  it('tells a spent quota from a limit of the rate, and does not try it again', async () => {
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    const error = { type: 'insufficient_quota', message, code: 429, status: 'RESOURCE_EXHAUSTED' };
    reply = { status: 429, frames: [{ type: 'error', error }] };
    const { error: fault } = await listen(processorFor(model), 'Hi');
    expect(fault).toMatchObject({ code: 'model_quota_exceeded', retryable: false });
  });
});

it('OpenAI is asked not to store the conversation', async () => {
  reply = { frames: answers['openai:gpt-4.1'] ?? [] };
  await listen(processorFor('openai:gpt-4.1'), 'Hi');
  expect(sent).toMatchObject({ store: false });
});

it('a missing key is model_unauthorized, found before any request', async () => {
  vi.stubEnv('OPENAI_API_KEY', undefined);
  sent = undefined;
  const { error } = await listen(
    createProcessor({ model: 'openai:gpt-4.1', baseUrl: 'http://127.0.0.1:1', systemPrompt: '' }),
    'Hi',
  );
  vi.unstubAllEnvs();
  expect(error).toMatchObject({ code: 'model_unauthorized', retryable: false });
});

it("prints none of the SDK's warnings", async () => {
  reply = { frames: answers['google:gemini-2.5-flash'] ?? [] };
  const spies = (['info', 'warn'] as const).map((method) => vi.spyOn(console, method));
  // A question without the provider's own signature makes the SDK warn.
  const conversation = [user('Hi'), assistant('', question('call_9', 'Which?', 'Tea', 'Coffee')), user('Tea')];
  expect((await listen(processorFor('google:gemini-3-pro'), conversation)).error).toBeUndefined();
  for (const spy of spies) expect(spy).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

it('an overload of Anthropic in the middle of a stream is retried', async () => {
  const frames = answers['anthropic:claude-sonnet-4-5'] ?? [];
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  for (const before of [0, 3]) {
    reply = { frames: [...frames.slice(0, before), overloaded] };
    const { error } = await listen(processorFor('anthropic:claude-sonnet-4-5'), 'Hi');
    expect(error).toMatchObject({ code: 'model_unavailable', retryable: true });
  }
});

it('a prompt that Google blocks is model_content_filtered', async () => {
  reply = { frames: [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }] };
  const { error } = await listen(processorFor('google:gemini-2.5-flash'), 'Hi');
  expect(error).toMatchObject({ code: 'model_content_filtered', retryable: false });
});

it('models of several providers are each reached at their own address with their own key and headers', async () => {
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  vi.stubEnv('OPENAI_BASE_URL', `${origin}/openai`);
  vi.stubEnv('OPENAI_API_KEY', 'key-of-openai');
  const connection = {
    baseUrl: `${origin}/local`,
    apiKey: 'key-of-local',
    headers: { 'x-team': 'one' },
    systemPrompt: '',
  };
  for (const defaultModel of ['openai:gpt-5', 'compatible:tiny']) {
    // The one is to choose, or it answers when the default one does not.
    const listed = readModelList(defaultModel === 'openai:gpt-5' ? '' : 'openai:gpt-5, compatible:tiny');
    const fallbackModels = defaultModel === 'openai:gpt-5' ? ['compatible:tiny'] : [];
    const configured = { model: defaultModel, models: modelChoices(listed, defaultModel), fallbackModels };
    const processors = await createProcessors(configured, connection);
    reply = { frames: [] };
    for (const [model, expected] of [
      ['openai:gpt-5', { url: '/openai/responses', key: 'Bearer key-of-openai', team: undefined }],
      ['compatible:tiny', { url: '/local/chat/completions', key: 'Bearer key-of-local', team: 'one' }],
    ] as const) {
      await listen(processors.get(model) ?? expect.fail(model), 'Hi');
      expect(from, `${model}, where ${defaultModel} is the default`).toEqual(expected);
    }
  }
  vi.unstubAllEnvs();
});

describe('a model name', () => {
  it.each([
    ['demo', { provider: 'demo' }],
    ['openai:gpt-5', { provider: 'openai', name: 'gpt-5' }],
    ['anthropic:claude', { provider: 'anthropic', name: 'claude' }],
    ['google:gemini', { provider: 'google', name: 'gemini' }],
    ['compatible:llama3.2:3b', { provider: 'compatible', name: 'llama3.2:3b' }],
    ['compatible:org/model', { provider: 'compatible', name: 'org/model' }],
  ])('%s is understood', (text, expected) => {
    expect(parseModelName(text)).toEqual(expected);
  });

  it.each([
    '',
    'gpt-5',
    'openai',
    'openai:',
    'openai: ',
    'openai: gpt',
    'Demo',
    'demo:x',
    'mistral:x',
    ':x',
    'toString:x',
  ])('"%s" is refused with the list of forms', (text) => {
    expect(() => parseModelName(text)).toThrow(
      `"${text}" is not a valid model name. Valid forms: demo, compatible:NAME, openai:NAME, anthropic:NAME, google:NAME.`,
    );
  });
});

describe('a processor', () => {
  it.each(['demo', 'openai:gpt-5', 'anthropic:claude', 'google:gemini'])(
    'for %s carries the configured name',
    async (model) => {
      expect((await createProcessor({ model, systemPrompt: '' })).model).toBe(model);
    },
  );

  it('for a compatible server needs its address', async () => {
    const settings = { model: 'compatible:tiny', systemPrompt: '' };
    await expect(createProcessor(settings)).rejects.toThrow('The model "compatible:tiny" requires AI_BASE_URL.');
    expect((await createProcessor({ ...settings, baseUrl: 'http://127.0.0.1:1/v1' })).model).toBe('compatible:tiny');
  });
});

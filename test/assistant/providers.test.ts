/** The providers with a wire format of their own, over real HTTP. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProcessor, createProcessors } from '../../src/assistant/create-processor.js';
import { modelChoices, readModelList } from '../../src/assistant/model-list.js';
import type { GenerationEvent, Processor } from '../../src/modules/responses/generation/processor.js';
import { assistant, listen, question, user } from './listening.js';
import { answers, choice } from './provider-answers.js';

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
      await vi.waitFor(() => expect(events).toEqual([{ type: 'thinking', text: '', hiddenBytes: 0 }]));
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

  it.each([
    [401, 'model_unauthorized'],
    [429, 'model_rate_limited'],
    [503, 'model_unavailable'],
  ])('maps the status %i', async (status, code) => {
    reply = {
      status,
      frames: [{ type: 'error', error: { type: 'some_error', message: 'words', code: status, status: 'X' } }],
    };
    expect((await listen(processorFor(model), 'Hi')).error).toMatchObject({ code });
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

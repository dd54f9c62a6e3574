/** What is learned of a model's server: later requests do without it, and the operator reads of it once. */
import { describe, expect } from 'vitest';
import { scrape } from '../metrics/scrape.js';
import { serviceTest } from '../support/fixtures/service.js';
import { httpError, type ModelScript, text, toolCall } from '../support/model/model-script.js';
import type { Person, TestService } from '../support/service.js';
import { createThread } from './manners/manner.js';

const models = [
  'tools',
  'usage',
  'system',
  'guess',
  'first',
  'other',
  'gemini',
  'deepseek',
  'lmstudio',
  'devstral',
  'mistral',
  'groq',
  'llamacpp',
  'ollama',
];
const learning = serviceTest({ environment: { AI_MODELS: models.map((name) => `compatible:${name}`).join() } });
const configured = serviceTest({ environment: { AI_WITHOUT: 'tools,usage,system' } });

/** Asks a model a question, and gives the bodies of the requests that it took. */
async function ask(service: TestService, ada: Person, { model, answers }: { model: string; answers: ModelScript[] }) {
  const before = service.model.requests.length;
  service.model.enqueue(...answers);
  await ada.rest.answer(await createThread(ada, `compatible:${model}`));
  return service.model.requests.slice(before).map(({ body }) => body);
}

const linesWith = (service: TestService, words: string) => service.log.filter((line) => line.includes(words));

describe('a feature that a server has refused', () => {
  learning.for([
    ['tools', 'this model does not support tools', 'tools'],
    ['usage', 'Unrecognized request argument supplied: stream_options', 'stream_options'],
  ] as const)('is left out of the requests that follow: %s', async ([model, message, field], { service, ada }) => {
    const requests = await ask(service, ada, { model, answers: [[httpError(400, { message })]] });
    expect(requests.map((body) => field in body)).toEqual([true, false]);
    const later = await ask(service, ada, { model, answers: [] });
    expect(later.map((body) => field in body)).toEqual([false]);
    expect(linesWith(service, `the model refuses ${model}, which is left out`)).toHaveLength(1);
    const metrics = await scrape(service.url);
    expect(metrics.sum('skein_model_feature_refusals_total', { feature: model })).toBe(1);
  });

  learning(
    'has its text before the first message of the user where it is the system role',
    async ({ service, ada }) => {
      const answers = [[httpError(400, { message: 'System role not supported' })]];
      const [first, second] = await ask(service, ada, { model: 'system', answers });
      expect(first?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
      expect(second?.messages).toEqual([{ role: 'user', content: `${first?.messages[0]?.content}\n\nHi` }]);
    },
  );

  const question = { question: 'Which tea?', choices: ['Green', 'Black'] };
  const call = toolCall({ id: 'c1', name: 'user_get_choice', arguments: question });

  learning.for([
    ['gemini', 400, 'Function call is missing a thought_signature in functionCall parts.'],
    ['deepseek', 400, 'The `reasoning_content` in the thinking mode must be passed back to the API.'],
    ['lmstudio', 400, "Invalid 'content': 'content' field must be a string or an array of objects."],
    ['mistral', 400, "Unexpected role 'user' after role 'tool'"],
    ['devstral', 500, 'conversation roles must alternate user and assistant roles except for tool calls and results.'],
  ] as const)(
    'is the text of a question that was asked as a call: %s',
    async ([name, status, message], { service, ada }) => {
      service.model.enqueue(call);
      const { threadId, messageId } = await createThread(ada, `compatible:${name}`);
      await ada.rest.answer({ threadId, messageId });
      const before = service.model.requests.length;
      service.model.enqueue([httpError(status, { message })]);
      await ada.rest.answer(await ada.rest.send(threadId, 'Green'));
      const [refused, taken] = service.model.requests.slice(before).map(({ body }) => body);
      expect(refused?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
      expect(taken?.messages.slice(1)).toEqual([
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Which tea?\n- Green\n- Black' },
        { role: 'user', content: 'Green' },
      ]);
      expect(taken).toHaveProperty('tools');
      await ada.rest.answer(await ada.rest.send(threadId, 'Thanks'));
      expect(service.model.requests.slice(before)).toHaveLength(3);
    },
  );

  learning.for([
    ['groq', 400, { message: "Failed to call a function. See 'failed_generation'.", code: 'tool_use_failed' }],
    ['llamacpp', 500, { message: 'Failed to parse input at pos 12: <tool_call>\n{"name": "user_get' }],
    ['ollama', 500, { message: "error parsing tool call: raw='{', err=unexpected end of JSON input" }],
  ] as const)(
    'is used again after one call that the model wrote badly: %s',
    async ([model, status, error], { service, ada }) => {
      await ask(service, ada, { model, answers: [] });
      const requests = await ask(service, ada, { model, answers: [[httpError(status, error)]] });
      expect(requests.map((body) => 'tools' in body)).toEqual([true, false]);
      const later = await ask(service, ada, { model, answers: [] });
      expect(later.map((body) => 'tools' in body)).toEqual([true]);
    },
  );

  learning('is left out for that model alone', async ({ service, ada }) => {
    await ask(service, ada, { model: 'tools', answers: [] });
    const [body] = await ask(service, ada, { model: 'other', answers: [] });
    expect(body).toHaveProperty('tools');
  });
});

describe('a plain 500 to the very first request of a model', () => {
  learning('is tried without optional features once', async ({ service, ada }) => {
    const requests = await ask(service, ada, { model: 'first', answers: [[httpError(500)]] });
    expect(requests.map((body) => 'tools' in body)).toEqual([true, false]);
    const later = await ask(service, ada, { model: 'first', answers: [[httpError(500)]] });
    expect(later).toHaveLength(2);
  });
});

describe('the first answer of a model', () => {
  learning('is logged once, with what the model takes; an empty one is none', async ({ service, ada }) => {
    const said = () => service.log.filter((line) => /"model":"compatible:guess".*model (ok: |call failed)/.test(line));
    await ask(service, ada, { model: 'guess', answers: [[], [text('Hello')]] });
    await ask(service, ada, { model: 'guess', answers: [] });
    expect(said()).toEqual([
      expect.stringContaining('the model call failed and is repeated'),
      expect.stringContaining('model ok: tools yes, images untried, usage yes'),
    ]);
  });
});

configured('AI_WITHOUT names what no request uses', async ({ service, ada }) => {
  await ada.rest.answer(await ada.rest.createThread({ text: 'Hi' }));
  const [{ body }] = [service.model.lastRequest];
  expect(Object.keys(body)).not.toContain('tools');
  expect(Object.keys(body)).not.toContain('stream_options');
  expect(body.messages.map(({ role }) => role)).toEqual(['user']);
});

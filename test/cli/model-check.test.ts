/** What an operator learns of a model before the first user asks it anything. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { httpError, text } from '../support/model/model-script.js';
import { type ModelServer, startModelServer } from '../support/model/model-server.js';
import { command } from './command.js';
import { skein } from './program.js';

let model: ModelServer;
beforeEach(async () => {
  model = await startModelServer();
});
afterEach(() => model.close());

const settings = () => ({ AI_MODEL: 'compatible:m', AI_BASE_URL: model.url, AI_API_KEY: 'key-of-ada' });
const check = (...words: string[]) => command(['model', 'check', ...words], settings());

describe('skein model check', () => {
  it('asks a real question and a picture, and says what the model takes', async () => {
    model.respond(() => [text('Paris')]);
    const { status, stdout } = await skein(['model', 'check'], settings());
    expect(stdout).toMatch(
      /^compatible:m: model ok: tools yes, images yes, usage yes\n {2}answered "Paris", beginning after [\d.]+ s\n$/,
    );
    expect(status).toBe(0);
    expect(model.requests.map(({ body }) => JSON.stringify(body).includes('image_url'))).toEqual([false, true]);
  });

  it('says what to set where the model refuses something', async () => {
    model.respond(({ body }) => {
      if (body.tools) return [httpError(400, { message: 'm does not support tools' })];
      if (JSON.stringify(body).includes('image_url'))
        return [httpError(500, { message: 'image input is not supported' })];
      return [text('Thinking of France.</think>Paris')];
    });
    const { status, stdout } = await check();
    expect(stdout).toContain('compatible:m: model ok: tools no, images no, usage yes\n');
    expect(stdout).toContain('set AI_WITHOUT=tools,images to save the calls in which it refuses these');
    expect(stdout).toContain('set AI_THINKS_FIRST=on');
    expect(status).toBe(0);
  });

  it('says what is wrong, what the server said, and what to do, where it does not answer', async () => {
    model.respond(() => [httpError(401, { message: 'Incorrect API key provided' })]);
    const { status, stdout, stderr } = await check();
    expect(stdout).toMatch(/^compatible:m: .*\(model_unauthorized\)\n/);
    expect(stdout).toMatch(/The server said: .*Incorrect API key provided/);
    expect(stdout.match(/Incorrect API key provided/g)).toHaveLength(1);
    expect(stdout).toContain('Check AI_API_KEY');
    expect(stdout + stderr).not.toContain('key-of-ada');
    expect([status, model.requests.length]).toEqual([1, 1]);
  });

  it('says so where nobody listens at the address', async () => {
    await model.close();
    const { status, stdout } = await check();
    expect(stdout).toContain('(model_unavailable)\n');
    expect(stdout).toContain('AI_BASE_URL');
    expect(status).toBe(1);
    model = await startModelServer();
  });

  it('checks each of several models, and says which one does not answer', async () => {
    model.respond(({ body }) => [body.model === 'm' ? httpError(404, { message: 'No model m' }) : text('Paris')]);
    const names = { AI_MODEL: 'compatible:m,compatible:n', AI_BASE_URL: model.url };
    const { status, stdout } = await command(['model', 'check'], names);
    expect(stdout).toMatch(/^compatible:m: .*\(model_rejected_request\)\n/);
    expect(stdout).toContain('compatible:n: model ok');
    expect(status).toBe(1);
  });

  it('checks one model alone, and refuses a name that is none', async () => {
    model.respond(() => [text('Paris')]);
    const { stdout } = await check('--model', 'compatible:other');
    expect(stdout).toMatch(/^compatible:other: model ok/);
    expect(model.lastRequest.body.model).toBe('other');
    expect((await check('--model', 'other')).status).toBe(64);
    expect((await command(['model', 'check'])).stdout).toBe('demo: model ok; it is built in and needs no server\n');
  });
});

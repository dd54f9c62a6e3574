/**
 * What a real server of models does, where `llama-server` is installed (Debian 14 has it in `llama.cpp`) or `LLAMA_SERVER` is its path:
 * the manners in `manners/` are what we have read and seen of servers, and this is one of them.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createProcessor } from '../../src/assistant/create-processor.js';
import type { GenerationEvent } from '../../src/modules/responses/generation/processor.js';
import { writeToldModel } from '../support/model/told-model.js';
import { assistant, listen, question, user } from './listening.js';

const program = process.env['LLAMA_SERVER'] ?? 'llama-server';
const port = 19_931;
const baseUrl = `http://127.0.0.1:${port}/v1`;
const rocket = Buffer.from('👩‍🚀');

const answers = {
  greet: { pieces: ['Hel', 'lo from ', 'a real ', 'server.'] },
  choose: {
    pieces: [
      ...[
        'Let me ask:',
        '<tool',
        '_call>\n{"na',
        'me": "user_',
        'get_choice", "argu',
        'ments": {"question": "Which?", ',
      ],
      ...['"choices": ["Te', 'a", "Cof', 'fee"]}}\n</to', 'ol_call>'],
    ],
  },
  draw: { pieces: ['Look: ', ...[0, 3, 5, 8].map((at, index, all) => rocket.subarray(at, all[index + 1]))] },
  count: { pieces: Array.from({ length: 50 }, (_, number) => ` ${number + 10}`), isEndless: true },
};

function isInstalled(): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const processor = () => createProcessor({ model: 'compatible:told', baseUrl, systemPrompt: 'Be kind.' });
const ask = (text: string) => listen(processor(), text);

describe.skipIf(!isInstalled())('llama-server', () => {
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'skein-told-'));
    const model = join(folder, 'told.gguf');
    await writeToldModel(model, answers);
    const options = ['--temp', '0', '--ctx-size', '4096', '--parallel', '2', '--threads', '1'];
    const server = spawn(program, ['--model', model, '--port', String(port), ...options], { stdio: 'ignore' });
    const exited = once(server, 'exit');
    const check = async () => expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    await vi.waitFor(check, { timeout: 60_000 });
    return async () => {
      server.kill();
      await exited;
      await rm(folder, { recursive: true });
    };
  });

  it('answers, and counts the tokens', async () => {
    const { text, events } = await ask('Hi');
    expect(text).toBe('Hello from a real server.');
    expect(events).toContainEqual({ type: 'usage', inputTokens: expect.any(Number), outputTokens: 5 });
  });

  it('hands on characters whose bytes are several tokens', async () => {
    expect((await ask('draw')).text).toBe('Look: 👩‍🚀');
  });

  it('asks a question, takes the choice, and is told that of an earlier question', async () => {
    const { events } = await ask('choose');
    expect(events.filter(({ type }) => type === 'choice')).toMatchObject([
      { question: 'Which?', choices: ['Tea', 'Coffee'] },
    ]);
    const asked = assistant('Let me ask:', question('c1', 'Which?', 'Tea', 'Coffee'));
    expect((await listen(processor(), [user('choose'), asked, user('Tea')])).text).toBe('Hello from a real server.');
  });

  it('marks an answer that fills the context as cut, and refuses a conversation that is longer', async () => {
    const { text, events } = await ask('count');
    expect(text.length).toBeGreaterThan(1000);
    expect(events).toContainEqual({ type: 'truncated' });
    expect((await ask('word '.repeat(4096))).error).toMatchObject({ code: 'model_context_exceeded' });
  });

  it('loses no request over connections that it closes without saying so', async () => {
    for (let round = 0; round < 10; round += 1) {
      const heard = await Promise.all(Array.from({ length: 20 }, () => ask('Hi')));
      expect(heard.map(({ text, error }) => error ?? text)).toEqual(heard.map(() => 'Hello from a real server.'));
    }
  });

  it('stops when the answer is stopped', async () => {
    const stopping = new AbortController();
    const events: GenerationEvent[] = [];
    const heard = listen(processor(), 'count', { signal: stopping.signal, events });
    await expect.poll(() => events.some(({ type }) => type === 'text')).toBe(true);
    stopping.abort(new Error('stopped'));
    expect((await heard).error).toBe(stopping.signal.reason);
    const slots = async () => (await (await fetch(`http://127.0.0.1:${port}/slots`)).json()) as object[];
    await expect.poll(slots).not.toContainEqual(expect.objectContaining({ is_processing: true }));
  });
});

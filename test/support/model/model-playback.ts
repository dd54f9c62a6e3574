/** Plays a script into one HTTP answer, as a stream of server-sent events. Stops when the connection is gone. */
import type { ServerResponse } from 'node:http';
import type { ChatRequest } from './model-request.js';
import type { ModelScript, ModelStep } from './model-script.js';
import { finish } from './model-script.js';

interface Stage {
  response: ServerResponse;
  body: ChatRequest;
  closed: Promise<void>;
}

const endings: ModelStep['do'][] = ['answer', 'finish', 'refuse', 'break', 'hang', 'end'];

export async function playScript(script: ModelScript, stage: Stage): Promise<void> {
  const playback = new Playback(stage);
  const hasEnding = script.some((step) => endings.includes(step.do));
  for (const step of hasEnding ? script : [...script, finish()]) {
    await playback.perform(step);
    if (stage.response.destroyed) return;
  }
}

class Playback {
  readonly #stage: Stage;
  readonly #common: object;
  #usage = { inputTokens: 12, outputTokens: 5 };

  constructor(stage: Stage) {
    this.#stage = stage;
    const { model } = stage.body;
    this.#common = { id: 'chatcmpl-scripted', object: 'chat.completion.chunk', created: 1_700_000_000, model };
  }

  async perform(step: ModelStep): Promise<void> {
    const { response, closed } = this.#stage;
    switch (step.do) {
      case 'open':
        return this.#open();
      case 'frame':
        return this.#sendFrame(step.payload);
      case 'raw':
        return this.#send(step.text);
      case 'answer':
        return this.#answer(step);
      case 'usage':
        this.#usage = step;
        return;
      case 'wait':
        return void (await Promise.race([step.gate, closed]));
      case 'hang':
        return closed;
      case 'refuse':
        response.writeHead(step.status, step.headers).end(step.body);
        return;
      case 'break':
        return void (step.reset ? response.socket?.resetAndDestroy() : response.destroy());
      case 'end':
        return void response.end();
      case 'finish':
        return this.#finish(step.reason);
    }
  }

  async #answer({ status, type, pieces, then }: Extract<ModelStep, { do: 'answer' }>): Promise<void> {
    const { response, closed } = this.#stage;
    response.writeHead(status, { 'content-type': type });
    for (const piece of pieces) {
      const written = new Promise<void>((resolve) => response.write(piece, () => resolve()));
      await Promise.race([written, closed]);
    }
    if (then === 'hang') await closed;
    else if (then === 'comment') await this.#comment();
    else if (then === 'break') response.destroy();
    else response.end();
  }

  async #comment(): Promise<void> {
    const { response, closed } = this.#stage;
    const timer = setInterval(() => response.write(': ping\n\n'), 100);
    await closed;
    clearInterval(timer);
  }

  async #finish(reason: string): Promise<void> {
    const { response, body } = this.#stage;
    await this.#sendFrame({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
    if (body.stream_options?.include_usage === true) {
      const { inputTokens, outputTokens } = this.#usage;
      const total = inputTokens + outputTokens;
      const counts = { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: total };
      await this.#sendFrame({ choices: [], usage: counts });
    }
    await this.#send('data: [DONE]\n\n');
    response.end();
  }

  /** Sends the headers and the frame with the role, once. */
  async #open(): Promise<void> {
    const { response } = this.#stage;
    if (response.headersSent) return;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
    const choices = [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }];
    await this.#sendFrame({ choices });
  }

  #sendFrame(payload: object): Promise<void> {
    return this.#send(`data: ${JSON.stringify({ ...this.#common, ...payload })}\n\n`);
  }

  /** Resolves when the system has taken the bytes, so that a connection broken afterwards has carried them. */
  async #send(data: string): Promise<void> {
    await this.#open();
    const { response, closed } = this.#stage;
    const written = new Promise<void>((resolve) => response.write(data, () => resolve()));
    await Promise.race([written, closed]);
  }
}

/**
 * A model behind any server of the chat completions wire. An answer ends with a reason or `[DONE]`, also while the
 * connection stays open; without either it was cut.
 */
import { finished, type Readable } from 'node:stream';
import { APICallError } from '@ai-sdk/provider';
import type { OutgoingFiles } from '../files/outgoing-files.js';
import { generationFault } from '../generation-faults.js';
import type { LanguageModel, ModelPart, ModelRequest } from '../language-model.js';
import { AnswerCounter, defaultAnswerLimits } from '../model-fetch.js';
import { codeOfNetworkFault } from '../provider-errors.js';
import { requestIdIn } from '../request-id.js';
import { ChatReader } from './chat-reader.js';
import { chatRequest } from './chat-request.js';
import { EventFrames, type Frame } from './event-frames.js';
import { type PostAnswer, post } from './http-post.js';

export interface CompatibleModelOptions {
  name: string;
  baseUrl: string;
  apiKey?: string | undefined;
  headers: Readonly<Record<string, string>>;
  files: OutgoingFiles;
}

/** How long the body of a refusal may take. */
const refusalMs = 5000;

export class CompatibleModel implements LanguageModel {
  readonly features = ['tools', 'calls', 'images', 'system', 'usage'] as const;
  readonly #name: string;
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #files: OutgoingFiles;

  constructor({ name, baseUrl, apiKey, headers, files }: CompatibleModelOptions) {
    this.#name = name;
    this.#url = urlOf(baseUrl);
    this.#headers = { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers };
    this.#files = files;
  }

  async stream(request: ModelRequest, take: (part: ModelPart) => void): Promise<void> {
    const answer = await this.#post(request);
    const id = requestIdIn(answer.headers);
    if (id !== null) request.onRequestId?.(id);
    const body = new AnswerBody(answer.body, request.signal);
    let isWhole = false;
    try {
      if (answer.status !== 200) throw await this.#refusal(answer, body);
      await this.#read(body, { expectsUsage: !request.without.has('usage'), take });
      isWhole = true;
    } finally {
      body.leave({ isWhole });
    }
  }

  async #post(request: ModelRequest): Promise<PostAnswer> {
    const headers = { ...this.#headers, ...request.headers };
    const body = this.#files.bodyOf(chatRequest(this.#name, request));
    try {
      return await post(this.#url, { headers, body, signal: request.signal });
    } catch (cause) {
      throw generationFault(codeOfNetworkFault(cause), { cause });
    }
  }

  async #read(
    body: AnswerBody,
    { expectsUsage, take }: { expectsUsage: boolean; take: (part: ModelPart) => void },
  ): Promise<void> {
    const [frames, reader, counter] = [new EventFrames(), new ChatReader(), new AnswerCounter(defaultAnswerLimits)];
    const takeFrames = (complete: Frame[]) => {
      for (const frame of complete) for (const part of reader.take(frame)) take(part);
      body.endWithin(reader.restMs);
      return reader.isOver({ expectsUsage });
    };
    const isOver = await body.read((piece) => takeFrames(frames.push(counter.take(piece))));
    if (!isOver) takeFrames(frames.end());
    for (const part of reader.finish()) take(part);
  }

  async #refusal({ status, headers }: PostAnswer, body: AnswerBody): Promise<APICallError> {
    body.endWithin(refusalMs);
    const text = await beginningOf(body, defaultAnswerLimits.errorBytes);
    const { location } = headers;
    return new APICallError({
      message: location ? `status ${status}, to ${location}` : text.slice(0, 500) || `status ${status}`,
      url: this.#url.origin,
      requestBodyValues: undefined,
      statusCode: status,
      responseHeaders: headers,
      responseBody: text,
    });
  }
}

/** The body of an answer. Once the answer has ended, the rest has a limit, whatever the server sends meanwhile. */
class AnswerBody {
  readonly #body: Readable;
  readonly #signal: AbortSignal;
  readonly #destroy = () => void this.#body.destroy();
  #restMs: number | null = null;
  #end: NodeJS.Timeout | undefined;

  constructor(body: Readable, signal: AbortSignal) {
    this.#body = body;
    this.#signal = signal;
    body.once('close', () => clearTimeout(this.#end));
    signal.addEventListener('abort', this.#destroy, { once: true });
    if (signal.aborted) this.#destroy();
  }

  /** From the first call with this time on, what still comes may take so long, and then the connection is closed. */
  endWithin(ms: number | null): void {
    if (ms === this.#restMs || this.#body.closed) return;
    this.#restMs = ms;
    clearTimeout(this.#end);
    this.#end = ms === null ? undefined : setTimeout(this.#destroy, ms);
  }

  /**
   * Gives `take` the bytes as they come, until it returns true: nothing more is needed. Resolves to whether it did, or to
   * false at the end of the body. Throws if the connection is cut before the answer has ended, and what `take` throws.
   */
  read(take: (piece: Uint8Array) => boolean): Promise<boolean> {
    const body = this.#body;
    return new Promise<boolean>((resolve, reject) => {
      const onData = (piece: Uint8Array) => {
        try {
          if (take(piece)) resolve(true);
          else return;
        } catch (error) {
          reject(error);
        }
        body.off('data', onData);
      };
      finished(body, { writable: false }, (cause) => {
        if (cause && !this.#end) reject(generationFault(codeOfNetworkFault(cause), { cause }));
        else resolve(false);
      });
      body.on('data', onData);
    });
  }

  /** After a whole answer the rest may come for a moment, so that the connection can be used again. Then it is closed. */
  leave({ isWhole }: { isWhole: boolean }): void {
    const body = this.#body;
    this.#signal.removeEventListener('abort', this.#destroy);
    if (body.readableEnded || body.destroyed) return;
    if (isWhole && this.#end) body.resume();
    else body.destroy();
  }
}

function urlOf(baseUrl: string): URL {
  const url = new URL(baseUrl);
  if (!url.pathname.endsWith('/chat/completions'))
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  return url;
}

async function beginningOf(body: AnswerBody, maximumBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  await body.read((piece) => {
    pieces.push(piece);
    bytes += piece.length;
    return bytes >= maximumBytes;
  });
  return Buffer.concat(pieces).subarray(0, maximumBytes).toString();
}

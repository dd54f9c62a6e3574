/**
 * A model behind any server of the chat completions wire. An answer ends with a reason or `[DONE]`, also while the
 * connection stays open; without either it was cut.
 */
import type { Readable } from 'node:stream';
import { APICallError } from '@ai-sdk/provider';
import type { OutgoingFiles } from '../files/outgoing-files.js';
import { generationFault } from '../generation-faults.js';
import type { LanguageModel, ModelPart, ModelRequest } from '../language-model.js';
import { AnswerCounter, defaultAnswerLimits } from '../model-fetch.js';
import { codeOfNetworkFault } from '../provider-errors.js';
import { requestIdIn } from '../request-id.js';
import { ChatReader } from './chat-reader.js';
import { chatRequest } from './chat-request.js';
import { EventFrames } from './event-frames.js';
import { type PostAnswer, post } from './http-post.js';

export interface CompatibleModelOptions {
  name: string;
  baseUrl: string;
  apiKey?: string | undefined;
  files: OutgoingFiles;
}

/** How long token counts and the end of the connection may follow the end of the answer. */
const tailMs = 500;
/** How long the body of a refusal may take. */
const refusalMs = 5000;

export class CompatibleModel implements LanguageModel {
  readonly features = ['tools', 'images', 'system', 'usage'] as const;
  readonly #name: string;
  readonly #url: URL;
  readonly #headers: Record<string, string>;
  readonly #files: OutgoingFiles;

  constructor({ name, baseUrl, apiKey, files }: CompatibleModelOptions) {
    this.#name = name;
    this.#url = urlOf(baseUrl);
    this.#headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    this.#files = files;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelPart> {
    const answer = await this.#post(request);
    const id = requestIdIn(answer.headers);
    if (id !== null) request.onRequestId?.(id);
    const body = new AnswerBody(answer.body, request.signal);
    try {
      if (answer.status !== 200) throw await this.#refusal(answer, body);
      yield* this.#read(body, { expectsUsage: !request.without.has('usage') });
    } finally {
      body.leave();
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

  async *#read(body: AnswerBody, { expectsUsage }: { expectsUsage: boolean }): AsyncGenerator<ModelPart> {
    const [frames, reader, counter] = [new EventFrames(), new ChatReader(), new AnswerCounter(defaultAnswerLimits)];
    for (let isOpen = true; isOpen && !reader.isOver({ expectsUsage }); ) {
      const piece = await body.next();
      isOpen = piece !== null;
      for (const frame of piece ? frames.push(counter.take(piece)) : frames.end()) {
        for (const part of reader.take(frame)) yield part;
      }
      if (reader.hasEnded) body.endWithin(tailMs);
    }
    for (const part of reader.finish()) yield part;
  }

  async #refusal({ status, headers }: PostAnswer, body: AnswerBody): Promise<APICallError> {
    body.endWithin(refusalMs);
    const text = await beginningOf(body, defaultAnswerLimits.errorBytes);
    return new APICallError({
      message: text.slice(0, 500) || `status ${status}`,
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
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #signal: AbortSignal;
  readonly #destroy = () => void this.#body.destroy();
  #end: NodeJS.Timeout | undefined;

  constructor(body: Readable, signal: AbortSignal) {
    this.#body = body;
    this.#signal = signal;
    this.#pieces = body.iterator({ destroyOnReturn: false });
    signal.addEventListener('abort', this.#destroy, { once: true });
    if (signal.aborted) this.#destroy();
  }

  /** Nothing more is needed; what still comes may take so long, and then the connection is closed. The first call counts. */
  endWithin(ms: number): void {
    if (this.#end || this.#body.closed) return;
    const timer = setTimeout(this.#destroy, ms);
    this.#end = timer;
    this.#body.once('close', () => clearTimeout(timer));
  }

  /** The next bytes; null at the end of the body. Throws if the connection is cut before the answer has ended. */
  async next(): Promise<Uint8Array | null> {
    try {
      const { done, value } = await this.#pieces.next();
      return done ? null : value;
    } catch (cause) {
      if (this.#end) return null;
      throw generationFault(codeOfNetworkFault(cause), { cause });
    }
  }

  /** After a whole answer the rest may come for a moment, so that the connection can be used again. Then it is closed. */
  leave(): void {
    const body = this.#body;
    this.#signal.removeEventListener('abort', this.#destroy);
    if (body.readableEnded || body.destroyed) return;
    if (this.#end) body.resume();
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
  for (let piece = await body.next(); piece && bytes < maximumBytes; piece = await body.next()) {
    pieces.push(piece);
    bytes += piece.length;
  }
  return Buffer.concat(pieces).subarray(0, maximumBytes).toString();
}

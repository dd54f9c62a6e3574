/**
 * A model of a named provider, by the AI SDK. Uses the SDK's provider interface directly, because `streamText` costs as much
 * per token as the provider itself.
 */
import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { APICallError } from '@ai-sdk/provider';
import { meaningOf } from './finish-reasons.js';
import { generationFault } from './generation-faults.js';
import type { LanguageModel, ModelEnd, ModelPart, ModelRequest } from './language-model.js';
import { requestIdIn } from './request-id.js';

type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>;

/** A model for one call. Whatever the provider sends, be it a ping or a comment, is told to `onBytes`: the SDK passes over both. */
export type CreateModel = (onBytes: () => void) => LanguageModelV3;

export class SdkModel implements LanguageModel {
  readonly features = ['tools', 'calls', 'images', 'system', 'developer'] as const;
  readonly #create: CreateModel;

  constructor(create: CreateModel) {
    this.#create = create;
  }

  async stream(request: ModelRequest, take: (part: ModelPart) => void): Promise<void> {
    const leaving = new AbortController();
    const signal = AbortSignal.any([request.signal, leaving.signal]);
    const model = this.#create(() => {
      if (!signal.aborted) take({ type: 'alive', hiddenBytes: 0 });
    });
    try {
      const reader = await this.#open(model, request, signal);
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        request.signal.throwIfAborted();
        const part = toModelPart(read.value);
        if (part) take(part);
        if (part?.type === 'end') return;
      }
      throw generationFault('model_connection_lost');
    } catch (error) {
      if (APICallError.isInstance(error)) tellRequestId(request, error.responseHeaders);
      throw error;
    } finally {
      // Cancelling the stream would wait for the provider. Aborting the request closes its connection immediately.
      leaving.abort();
    }
  }

  async #open(model: LanguageModelV3, request: ModelRequest, abortSignal: AbortSignal) {
    const { systemPrompt, messages, tools, without, headers = {} } = request;
    const system = systemPrompt.trim() === '' ? [] : [{ role: 'system' as const, content: systemPrompt }];
    const { stream, response } = await model.doStream({
      prompt: [...system, ...messages],
      ...(tools.length === 0 ? {} : { tools, toolChoice: { type: 'auto' } }),
      headers,
      abortSignal,
      // Conversations are stored here, so OpenAI does not have to.
      providerOptions: { openai: { store: false, ...(without.has('developer') && { systemMessageMode: 'system' }) } },
    });
    tellRequestId(request, response?.headers);
    return stream.getReader();
  }
}

function tellRequestId({ onRequestId }: ModelRequest, headers: Record<string, string> | undefined): void {
  const id = requestIdIn(headers);
  if (id !== null) onRequestId?.(id);
}

function toModelPart(part: LanguageModelV3StreamPart): ModelPart | undefined {
  switch (part.type) {
    case 'text-delta':
      return { type: 'text', text: part.delta };
    case 'reasoning-delta':
      return { type: 'thinking', text: part.delta };
    case 'tool-input-start':
      return hidden(part.id, part.toolName);
    case 'tool-input-delta':
      return hidden(part.delta);
    case 'tool-call':
      return { type: 'call', id: part.toolCallId, name: part.toolName, input: part.input };
    case 'finish':
      return toEnd(part);
    case 'error':
      throw part.error;
    default:
      return undefined;
  }
}

function hidden(...texts: string[]): ModelPart {
  return { type: 'alive', hiddenBytes: Buffer.byteLength(texts.join('')) };
}

function toEnd({ finishReason, usage }: Finish): ModelEnd {
  const { unified, raw } = finishReason;
  // The initial value of the SDK's providers, which remains if the stream ends before a finish reason.
  if (unified === 'other' && raw === undefined) throw generationFault('model_connection_lost');
  const isKnown = raw !== undefined && meaningOf(raw) !== 'unknown';
  return {
    type: 'end',
    reason: unified === 'other' || isKnown ? (raw ?? unified) : unified,
    inputTokens: usage.inputTokens.total ?? null,
    outputTokens: usage.outputTokens.total ?? null,
  };
}

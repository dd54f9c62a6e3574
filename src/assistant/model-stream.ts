/**
 * One call of a language model as our own events. It guarantees what the AI SDK leaves open: a stream that ends
 * without the model having said that it is finished is a fault and not a short answer; leaving the iteration closes
 * the connection to the provider; questions come out only when the whole answer was well formed.
 */
import type { LanguageModel, ModelMessage, TextStreamPart, ToolSet } from 'ai';
import { streamText } from 'ai';
import type { GenerationEvent } from '../modules/responses/processor.js';
import { choiceInput } from './choice-tool.js';
import { generationFault, toGenerationError } from './generation-faults.js';

export interface ModelRequest {
  languageModel: LanguageModel;
  systemPrompt: string;
  messages: ModelMessage[];
  tools: ToolSet;
  signal: AbortSignal;
}

type Part = TextStreamPart<ToolSet>;
type ToolCall = Extract<Part, { type: 'tool-call' }>;
type Finish = Extract<Part, { type: 'finish' }>;

/**
 * Calls the model once and yields what it says. Throws the reason of `signal` when it was aborted, else a
 * GenerationError. A part that only shows that the model is at work comes out as an empty `thinking` event.
 */
export async function* streamModel(request: ModelRequest): AsyncGenerator<GenerationEvent> {
  const { signal } = request;
  const leaving = new AbortController();
  const calls: ToolCall[] = [];
  try {
    for await (const part of openStream(request, AbortSignal.any([signal, leaving.signal]))) {
      signal.throwIfAborted();
      if (part.type === 'tool-call') calls.push(part);
      else if (part.type === 'finish') yield* finish(part, calls);
      else yield* eventsOf(part);
    }
    signal.throwIfAborted();
  } catch (error) {
    throw signal.aborted ? signal.reason : toGenerationError(error);
  } finally {
    // The SDK splits its stream, so that cancelling the half that is read here does not reach the provider.
    leaving.abort();
  }
}

function openStream(request: ModelRequest, abortSignal: AbortSignal): AsyncIterable<Part> {
  const { languageModel, systemPrompt, messages, tools } = request;
  const result = streamText({
    model: languageModel,
    ...(systemPrompt.trim() === '' ? {} : { system: systemPrompt }),
    messages,
    tools,
    abortSignal,
    maxRetries: 0,
    // Without it the SDK prints each error; here they come as parts of the stream.
    onError: () => undefined,
    // OpenAI need not keep what is stored here.
    providerOptions: { openai: { store: false } },
  });
  return result.fullStream;
}

function* eventsOf(part: Part): Generator<GenerationEvent> {
  if (part.type === 'error') throw part.error;
  if (part.type === 'text-delta') yield { type: 'text', text: part.text };
  if (part.type === 'reasoning-delta') yield { type: 'thinking', text: part.text };
  if (part.type === 'tool-input-delta') yield { type: 'thinking', text: '' };
}

function* finish(part: Finish, calls: ToolCall[]): Generator<GenerationEvent> {
  const { finishReason, rawFinishReason, totalUsage } = part;
  yield {
    type: 'usage',
    inputTokens: totalUsage.inputTokens ?? null,
    outputTokens: totalUsage.outputTokens ?? null,
  };
  if (finishReason === 'content-filter') throw generationFault('model_content_filtered', { cause: rawFinishReason });
  if (finishReason === 'error') throw generationFault('model_invalid_output', { cause: rawFinishReason });
  // What the SDK's providers begin with, and keep when the stream ends before the model has given a reason.
  if (finishReason === 'other' && rawFinishReason === undefined) throw generationFault('model_connection_lost');
  for (const call of calls) yield toChoice(call);
}

function toChoice(call: ToolCall): GenerationEvent {
  if (call.invalid === true) throw generationFault('model_invalid_output', { cause: call.error });
  const { question, choices } = choiceInput.parse(call.input);
  return { type: 'choice', toolUseId: call.toolCallId, question, choices };
}

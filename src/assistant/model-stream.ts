/**
 * One call of a language model as our own events. Uses the SDK's provider interface directly, because `streamText`
 * costs as much per token as the provider itself. Guarantees what providers leave open: a stream that ends without a
 * finish reason is an error and not a short response; leaving the iteration closes the connection; questions are
 * emitted only after the whole response was well formed.
 */
import type {
  LanguageModelV3,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
} from '@ai-sdk/provider';
import { APICallError } from '@ai-sdk/provider';
import type { GenerationEvent } from '../modules/responses/generation/processor.js';
import { choiceInput } from './choice-tool.js';
import { generationFault, toGenerationError } from './generation-faults.js';
import { requestIdIn } from './request-id.js';

export interface ModelRequest {
  languageModel: LanguageModelV3;
  systemPrompt: string;
  messages: LanguageModelV3Message[];
  tools: LanguageModelV3FunctionTool[];
  headers?: Record<string, string> | undefined;
  onRequestId?: ((id: string) => void) | undefined;
  signal: AbortSignal;
}

/** Maximum number of questions in a response; the next message answers all of them. */
const maximumQuestions = 10;
/** Maximum length of a call id. Providers use about forty characters. */
const maximumCallId = 255;

type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>;

/**
 * Calls the model once and yields its events. Throws the abort reason of `signal`, or a GenerationError. Parts that
 * only show that the model is working become empty `thinking` events.
 */
export async function* streamModel(request: ModelRequest): AsyncGenerator<GenerationEvent> {
  const { signal } = request;
  const leaving = new AbortController();
  const calls: LanguageModelV3ToolCall[] = [];
  let finish: Finish | undefined;
  try {
    signal.throwIfAborted();
    const reader = await openStream(request, AbortSignal.any([signal, leaving.signal]));
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      signal.throwIfAborted();
      const part = read.value;
      if (part.type === 'tool-call') calls.push(part);
      else if (part.type === 'finish') finish = part;
      const event = eventOf(part);
      if (event) yield event;
    }
    signal.throwIfAborted();
    yield* finishedWith(finish, calls, request.tools);
  } catch (error) {
    if (APICallError.isInstance(error)) tellRequestId(request, error.responseHeaders);
    throw signal.aborted ? signal.reason : toGenerationError(error);
  } finally {
    // Cancelling the stream would wait for the provider. Aborting the request closes its connection immediately.
    leaving.abort();
  }
}

async function openStream(request: ModelRequest, abortSignal: AbortSignal) {
  const { languageModel, systemPrompt, messages, tools, headers = {} } = request;
  const system = systemPrompt.trim() === '' ? [] : [{ role: 'system' as const, content: systemPrompt }];
  const { stream, response } = await languageModel.doStream({
    prompt: [...system, ...messages],
    ...(tools.length === 0 ? {} : { tools, toolChoice: { type: 'auto' } }),
    headers,
    abortSignal,
    // Conversations are stored here, so OpenAI does not have to.
    providerOptions: { openai: { store: false } },
  });
  tellRequestId(request, response?.headers);
  return stream.getReader();
}

function tellRequestId({ onRequestId }: ModelRequest, headers: Record<string, string> | undefined): void {
  const id = requestIdIn(headers);
  if (id !== null) onRequestId?.(id);
}

function eventOf(part: LanguageModelV3StreamPart): GenerationEvent | undefined {
  if (part.type === 'text-delta') return { type: 'text', text: part.delta };
  if (part.type === 'reasoning-delta') return { type: 'thinking', text: part.delta };
  if (part.type === 'tool-input-start') return hidden(part.id, part.toolName);
  if (part.type === 'tool-input-delta') return hidden(part.delta);
  if (part.type === 'tool-call') return hidden(part.toolCallId, part.toolName);
  if (part.type === 'error') throw part.error;
  return undefined;
}

function hidden(...texts: string[]): GenerationEvent {
  return { type: 'thinking', text: '', hiddenBytes: Buffer.byteLength(texts.join('')) };
}

function* finishedWith(
  finish: Finish | undefined,
  calls: LanguageModelV3ToolCall[],
  tools: LanguageModelV3FunctionTool[],
): Generator<GenerationEvent> {
  if (!finish) throw generationFault('model_connection_lost');
  const { finishReason, usage } = finish;
  const { inputTokens, outputTokens } = usage;
  yield { type: 'usage', inputTokens: inputTokens.total ?? null, outputTokens: outputTokens.total ?? null };
  const { unified, raw } = finishReason;
  if (unified === 'content-filter') throw generationFault('model_content_filtered', { cause: raw });
  if (unified === 'error') throw generationFault('model_invalid_output', { cause: raw });
  // The initial value of the SDK's providers, which remains if the stream ends before a finish reason.
  if (unified === 'other' && raw === undefined) throw generationFault('model_connection_lost');
  if (calls.length > maximumQuestions) {
    throw generationFault('model_invalid_output', { cause: `the model asked more than ${maximumQuestions} questions` });
  }
  for (const call of calls) yield toChoice(call, tools);
}

function toChoice({ toolCallId, toolName, input }: LanguageModelV3ToolCall, tools: LanguageModelV3FunctionTool[]) {
  if (!tools.some(({ name }) => name === toolName)) {
    throw generationFault('model_invalid_output', {
      cause: `the model called ${toolName.slice(0, 100)}, which it was not offered`,
    });
  }
  return { type: 'choice' as const, toolUseId: toolCallId.slice(0, maximumCallId), ...parseChoice(input) };
}

function parseChoice(input: string) {
  try {
    return choiceInput.parse(JSON.parse(input));
  } catch (cause) {
    throw generationFault('model_invalid_output', { cause });
  }
}

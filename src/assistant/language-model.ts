/**
 * What a model is to the rest of the service: one request, and the parts of its answer in order. Two kinds implement it, the
 * named providers by the AI SDK (`sdk-model.ts`) and every other server by our own client (`compatible`). What the parts
 * mean is decided once for both, in `model-stream.ts`.
 */
import type { LanguageModelV3FunctionTool, LanguageModelV3Message } from '@ai-sdk/provider';
import type { ModelFeature } from './features/model-features.js';

export interface ModelRequest {
  systemPrompt: string;
  messages: LanguageModelV3Message[];
  tools: LanguageModelV3FunctionTool[];
  /** What the request must do without. Tools and files that a model refuses are not in the request at all. */
  without: ReadonlySet<ModelFeature>;
  headers?: Record<string, string> | undefined;
  onRequestId?: ((id: string) => void) | undefined;
  signal: AbortSignal;
}

export interface ToolCall {
  id: string;
  name: string;
  /** As the model wrote it: usually a text of JSON. */
  input: unknown;
}

export interface ModelEnd {
  type: 'end';
  /** In the words of the server; null if it gave none. */
  reason: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Frames of the answer that could not be read. */
  unreadable?: number;
}

export type ModelPart =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  /** A sign of life, with the bytes that are not shown, such as a part of the input of a tool. */
  | { type: 'alive'; hiddenBytes: number }
  | ({ type: 'call' } & ToolCall)
  /** The last part of every answer that was not cut. */
  | ModelEnd;

export interface LanguageModel {
  /** What its requests use, unless they are told to do without. */
  readonly features: readonly ModelFeature[];
  /**
   * Calls the model once, and gives `take` the parts of its answer. What `take` throws is thrown and closes the connection.
   * Throws a GenerationError or an error of the AI SDK; an answer that is cut ends in `model_connection_lost`.
   */
  stream(request: ModelRequest, take: (part: ModelPart) => void): Promise<void>;
}

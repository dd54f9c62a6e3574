/**
 * Reads one answer of the chat completions wire. What a frame does not need is not looked at, and a frame that says nothing
 * is passed over, because no two servers send the same: only text, thinking, calls, a reason, counts and errors matter.
 */

import { generationFault } from '../generation-faults.js';
import type { ModelEnd, ModelPart, ToolCall } from '../language-model.js';
import { codeOfStreamFault } from '../provider-errors.js';
import type { Frame } from './event-frames.js';

type Fields = Record<string, unknown>;

interface OpenCall extends ToolCall {
  input: string;
}

/**
 * How long token counts and the end of the connection may take. A reason alone is the end of the answer. One that came with a
 * piece is in doubt, because some servers give a reason with each piece; once more has come after it, it says nothing.
 */
const restMs = { open: null, doubtful: 10_000, certain: 500 } as const;

export class ChatReader {
  readonly #calls = new Map<string, OpenCall>();
  #text = '';
  #reason: string | null = null;
  #ending: keyof typeof restMs = 'open';
  #isDone = false;
  #usage: Pick<ModelEnd, 'inputTokens' | 'outputTokens'> | null = null;
  #unreadable = { count: 0, first: '' };
  #readable = 0;
  /** Whether the answer came as one message and not in pieces; its body is complete. */
  #isWhole = false;

  /** How long what still follows may take, in milliseconds; null while more of the answer may come. */
  get restMs(): number | null {
    return restMs[this.#isDone ? 'certain' : this.#ending];
  }

  /** Whether nothing can follow that matters. */
  isOver({ expectsUsage }: { expectsUsage: boolean }): boolean {
    return this.#isDone || (this.#ending === 'certain' && (!expectsUsage || this.#usage !== null));
  }

  /** The parts that a frame holds: none after `[DONE]`. Throws a GenerationError if it is an error. */
  take(frame: Frame): ModelPart[] {
    if (this.#isDone) return [];
    if (frame.type === 'done') this.#isDone = true;
    else if (frame.type === 'unreadable') this.#cannotRead(frame.text);
    else if (frame.type === 'value') return this.#takeValue(frame.value, frame.event);
    return frame.type === 'alive' ? [{ type: 'alive', hiddenBytes: 0 }] : [];
  }

  /** The parts that are known only at the end. Throws if the answer was cut, or if nothing of it could be read. */
  finish(): ModelPart[] {
    const { count: unreadable, first } = this.#unreadable;
    if (this.#readable === 0 && unreadable > 0) throw unreadableFault(first);
    if (!this.#isDone && this.#reason === null && !this.#isWhole) throw generationFault('model_connection_lost');
    const calls = [...this.#calls.values()].map((call) => ({ type: 'call' as const, ...call }));
    const { inputTokens = null, outputTokens = null } = this.#usage ?? {};
    return [...calls, { type: 'end', reason: this.#reason, inputTokens, outputTokens, unreadable }];
  }

  #takeValue(value: unknown, event: string): ModelPart[] {
    if (Array.isArray(value)) return value.flatMap((entry) => this.#takeValue(entry, event));
    if (value === null) return [];
    if (!isFields(value)) return this.#cannotRead(JSON.stringify(value));
    const error = errorIn(value, event);
    if (error !== undefined) throw generationFault(codeOfStreamFault(error), { cause: error });
    this.#usage = usageIn(value.usage) ?? this.#usage;
    const { choices } = value;
    if (choices === undefined || choices === null) return [{ type: 'alive', hiddenBytes: 0 }];
    if (!Array.isArray(choices)) return this.#cannotRead(JSON.stringify(value));
    const [choice] = choices;
    return isFields(choice) ? this.#takeChoice(choice) : [{ type: 'alive', hiddenBytes: 0 }];
  }

  #cannotRead(text: string): ModelPart[] {
    if (this.#unreadable.count === 0) this.#unreadable.first = text.slice(0, 200);
    this.#unreadable.count += 1;
    return [];
  }

  #takeChoice(choice: Fields): ModelPart[] {
    this.#readable += 1;
    if (isError(choice.error)) throw generationFault(codeOfStreamFault(choice.error), { cause: choice.error });
    const parts = this.#takeMessage(choice);
    const reason = choice.finish_reason ?? choice.finishReason;
    const isReason = typeof reason === 'string' && reason.trim() !== '';
    if (parts.length > 0) this.#ending = isReason && this.#reason === null ? 'doubtful' : 'open';
    else if (isReason) this.#ending = this.#text === '' && this.#calls.size === 0 ? 'doubtful' : 'certain';
    if (isReason) this.#reason = reason;
    return parts.length > 0 ? parts : [{ type: 'alive', hiddenBytes: 0 }];
  }

  #takeMessage(choice: Fields): ModelPart[] {
    const parts: ModelPart[] = [];
    const isPiece = isFields(choice.delta);
    const message = isPiece ? choice.delta : choice.message;
    if (!isPiece && isFields(message)) this.#isWhole = true;
    if (!isFields(message)) {
      this.#say(parts, choice.text);
      return parts;
    }
    const thinking = thinkingIn(message);
    if (thinking !== '') parts.push({ type: 'thinking', text: thinking });
    // The last frame of some servers repeats the whole answer.
    if (isPiece || message.content !== this.#text || this.#text === '') this.#say(parts, message.content);
    this.#say(parts, message.refusal);
    const hiddenBytes = this.#takeCalls(message);
    if (hiddenBytes > 0) parts.push({ type: 'alive', hiddenBytes });
    return parts;
  }

  #say(parts: ModelPart[], content: unknown): void {
    const text = textIn(content, 'text');
    if (text === '') return;
    this.#text += text;
    parts.push({ type: 'text', text });
  }

  /** Adds the pieces of calls to what has come of them. Returns their bytes. */
  #takeCalls(message: Fields): number {
    const { tool_calls: pieces, function_call: single } = message;
    const list = Array.isArray(pieces) ? pieces : isFields(pieces) ? [pieces] : [];
    if (isFields(single)) list.push({ index: 0, function: single });
    return list.filter(isFields).reduce((bytes: number, piece, place) => bytes + this.#takeCall(piece, place), 0);
  }

  #takeCall(piece: Fields, place: number): number {
    const called = isFields(piece.function) ? piece.function : isFields(piece.custom) ? piece.custom : piece;
    const id = typeof piece.id === 'string' ? piece.id : '';
    const name = typeof called.name === 'string' ? called.name : '';
    const call = this.#callOf(piece.index, { id, name, place });
    if (!call) return 0;
    const added = inputIn(called.arguments ?? called.input);
    call.id ||= id;
    // Some servers repeat the name in each piece.
    if (call.name === '') call.name = name;
    // Some repeat the whole input so far. No object in JSON begins with its own beginning twice.
    call.input = call.input !== '' && added.startsWith(call.input) ? added : call.input + added;
    return Buffer.byteLength(id + name + added);
  }

  /** The call that a piece belongs to: by its index, else by its id, else the last one, unless it begins another. */
  #callOf(index: unknown, { id, name, place }: { id: string; name: string; place: number }): OpenCall | null {
    const last = [...this.#calls.keys()].at(-1);
    const isNumbered = typeof index === 'number' || typeof index === 'string';
    const begun = isNumbered ? this.#calls.get(`index ${index}`) : undefined;
    // Gemini's endpoint gives all calls the index 0, each with an id of its own.
    const isOther = begun !== undefined && id !== '' && begun.id !== '' && begun.id !== id && name !== '';
    if (begun && !isOther) return begun;
    if (!isNumbered && name === '' && last !== undefined) return this.#calls.get(last) ?? null;
    if (name === '' && id === '') return isNumbered ? this.#open(`index ${index}`) : null;
    return this.#open(isOther || !isNumbered ? `place ${this.#calls.size} ${place} ${id}` : `index ${index}`);
  }

  #open(key: string): OpenCall {
    const call: OpenCall = { id: '', name: '', input: '' };
    this.#calls.set(key, call);
    return call;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text, or a list of parts of which some are text, as some servers send both kinds of content. */
function textIn(content: unknown, type: 'text' | 'thinking'): string {
  if (typeof content === 'string') return type === 'text' ? content : '';
  if (isFields(content)) return textIn([content], type);
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => partIn(part, type)).join('');
}

function partIn(part: unknown, type: 'text' | 'thinking'): string {
  if (typeof part === 'string') return type === 'text' ? part : '';
  if (!isFields(part)) return '';
  const isThinking = part.type === 'thinking' || part.type === 'reasoning';
  if (isThinking !== (type === 'thinking')) return '';
  const inner = part.thinking ?? part.text ?? part.summary;
  return typeof inner === 'string' ? inner : isThinking ? textIn(inner, 'text') : '';
}

function thinkingIn({ reasoning_content, reasoning, thinking, content }: Fields): string {
  const said = [reasoning_content, reasoning, thinking].find((text) => typeof text === 'string' && text !== '');
  return typeof said === 'string' ? said : textIn(content, 'thinking');
}

/** Input as a text, or as the value itself; an empty object is how servers that send values begin. */
function inputIn(input: unknown): string {
  if (typeof input === 'string') return input;
  const isEmpty = input === undefined || input === null || (isFields(input) && Object.keys(input).length === 0);
  return isEmpty ? '' : JSON.stringify(input);
}

function usageIn(usage: unknown): Pick<ModelEnd, 'inputTokens' | 'outputTokens'> | null {
  if (!isFields(usage)) return null;
  const inputTokens = countIn(usage.prompt_tokens ?? usage.input_tokens);
  const outputTokens = countIn(usage.completion_tokens ?? usage.output_tokens);
  return inputTokens === null && outputTokens === null ? null : { inputTokens, outputTokens };
}

function countIn(count: unknown): number | null {
  return typeof count === 'number' && Number.isFinite(count) ? count : null;
}

/** The error that a frame holds, in any of the forms that servers give it; undefined if it holds none. */
function errorIn(value: Fields, event: string): unknown {
  if (isError(value.error)) return value.error;
  if (event === 'error' || value.object === 'error' || value.type === 'error') return value;
  const isAnswer = 'choices' in value;
  if (isAnswer) return undefined;
  if (isError(value.detail) || isError(value.errors)) return value;
  const status = value.status ?? value.code ?? value.status_code ?? value.statusCode;
  return typeof value.message === 'string' && Number(status) >= 400 ? value : undefined;
}

/** `"error": null`, `false`, `""` and `{}` tell that there is none. */
function isError(error: unknown): boolean {
  if (typeof error === 'string') return error.trim() !== '';
  if (typeof error !== 'object' || error === null) return error === true;
  return Object.keys(error).length > 0;
}

/** A page of HTML comes from whatever stands before the model, or from a wrong address. */
function unreadableFault(text: string) {
  return generationFault(/^\s*</.test(text) ? 'model_unavailable' : 'model_invalid_output', {
    cause: `the model sent nothing that can be read: ${text}`,
  });
}

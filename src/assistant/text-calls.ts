/**
 * Questions that a model writes into its text, because its server runs without a parser for calls. What follows a mark of a call
 * is held back until the call has ended, and is text after all unless it is a question.
 */
import { readQuestion } from './asked-question.js';
import { choiceToolName } from './choice-tool.js';
import type { ToolCall } from './language-model.js';
import { markPattern, openEnd } from './think-tags.js';

/** Openings and endings, as in the templates of the models; without an ending, a call goes on to the end of the answer. */
const marks: readonly (readonly [string, string])[] = [
  // Qwen, Hermes and many others.
  ['<tool_call>', '</tool_call>'],
  [`<function=${choiceToolName}>`, '</function>'],
  ['<|tool_call>', '<tool_call|>'],
  ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'],
  // gpt-oss.
  ['<|start|>assistant<|channel|>commentary', '<|call|>'],
  ['<|channel|>commentary', '<|call|>'],
  ['[TOOL_CALLS]', ''],
  // Llama.
  ['<|python_tag|>', ''],
  [`{"name": "${choiceToolName}"`, ''],
  [`{"name":"${choiceToolName}"`, ''],
];

const endings = new Map(marks);
/** One pattern, so that a text is read once however many marks are in it. */
const openings = markPattern(marks.map(([opening]) => opening));

/** Before more characters than these, a call has named its tool. */
const longestLead = 200;
const longestCall = 65_536;

export interface TextRead {
  text: string;
  calls: ToolCall[];
}

export class TextCalls {
  /** Begins with a mark while `#ending` is set; else with what may become one. */
  #held = '';
  #ending: string | null = null;

  push(piece: string): TextRead {
    const read: TextRead = { text: '', calls: [] };
    this.#held += piece;
    while (this.#step(read)) {
      // Each step takes a call, or what lies before the next mark.
    }
    return read;
  }

  /** What was held back when the answer ends. */
  flush(): TextRead {
    const read: TextRead = { text: '', calls: [] };
    if (this.#ending === null) read.text = this.#held;
    else this.#decide(read, this.#held.length);
    this.#held = '';
    return read;
  }

  /** Returns whether there may be more to take. */
  #step(read: TextRead): boolean {
    if (this.#ending === null) return this.#seek(read);
    const held = this.#held.slice(0, longestCall);
    if (held.length > longestLead && !held.slice(0, longestLead).includes(choiceToolName)) return this.#pass(read, 1);
    const end = this.#ending === '' ? -1 : held.indexOf(this.#ending);
    if (end >= 0) this.#decide(read, end + this.#ending.length);
    else if (held.length === longestCall) return this.#pass(read, longestCall);
    return end >= 0;
  }

  /** Takes as many characters of what is held as text. */
  #pass(read: TextRead, length: number): true {
    read.text += this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    this.#ending = null;
    return true;
  }

  /** Takes as many characters of what is held, as a question or as text. */
  #decide(read: TextRead, length: number): void {
    const [written, rest] = [this.#held.slice(0, length), this.#held.slice(length)];
    const call = { id: '', name: choiceToolName, input: inputIn(written) };
    if (written.includes(choiceToolName) && readQuestion(call)) read.calls.push(call);
    else read.text += written;
    this.#ending = null;
    this.#held = rest;
  }

  #seek(read: TextRead): boolean {
    const held = this.#held;
    const found = openings.exec(held);
    const at = found?.index ?? held.length - Math.max(...marks.map(([opening]) => openEnd(held, opening)));
    read.text += held.slice(0, at);
    this.#held = held.slice(at);
    this.#ending = found && (endings.get(found[0]) ?? null);
    return found !== null;
  }
}

/** JSON as it is; the parameters of Qwen's newer templates, each in a tag of its own, as an object. */
function inputIn(written: string): unknown {
  const complete = written.slice(0, written.lastIndexOf('</parameter>') + '</parameter>'.length);
  const parameters = [...complete.matchAll(/<parameter=(\w+)>([\s\S]*?)<\/parameter>/g)];
  if (parameters.length === 0) return written;
  return Object.fromEntries(parameters.map(([, name, value = '']) => [name, value.trim()]));
}

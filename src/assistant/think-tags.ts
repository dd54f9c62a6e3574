/**
 * Thinking that a model writes into its text: `<think>…</think>` before the answer, the tags cut anywhere between two pieces.
 * Only leading tags count, because in the middle of an answer, or in a code block, they are text that somebody asked for. Marks
 * of channels are those of Gemma 4 and, in harmony's format, of gpt-oss, where a server hands them on unread.
 */
const tags: readonly (readonly [string, string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  ['<|channel>thought', '<channel|>'],
  ...['<|channel|>', '<|start|>assistant<|channel|>'].flatMap((start): [string, string][] => [
    [`${start}analysis<|message|>`, '<|end|>'],
    // Only leads to the answer.
    [`${start}final<|message|>`, ''],
  ]),
];

/** More white space than this before an answer belongs to it. */
const longestLead = 1000;

export interface Divided {
  thinking: string;
  text: string;
}

export class ThinkTags {
  #state: 'lead' | 'thinking' | 'answer' = 'lead';
  #closing: string;
  #held = '';
  #isAfterThinking = false;
  #opensItself: boolean;

  /** `opensItself`: the model's template has written the opening tag, so the answer begins within the thinking. */
  constructor({ opensItself = false }: { opensItself?: boolean } = {}) {
    this.#opensItself = opensItself;
    this.#closing = '</think>';
  }

  /** Whether every further piece is text, so that nobody needs to ask. */
  get isPassed(): boolean {
    return this.#state === 'answer';
  }

  /** The server has told the thinking apart: what follows is the answer, without the white space before it. */
  noteThinking(): void {
    if (this.#state === 'lead') this.#isAfterThinking = true;
  }

  push(piece: string): Divided {
    const divided: Divided = { thinking: '', text: '' };
    this.#held += piece;
    while (this.#step(divided)) {
      // Each step takes a tag, or what lies before the next one.
    }
    return divided;
  }

  /** What was held back when the answer ends. */
  flush(): Divided {
    const rest = this.#held;
    this.#held = '';
    if (this.#state === 'thinking') return { thinking: rest, text: '' };
    return { thinking: '', text: this.#isAfterThinking ? rest.trimStart() : rest };
  }

  /** Returns whether there may be more to take. */
  #step(divided: Divided): boolean {
    if (this.#state === 'lead') return this.#takeLead();
    const held = this.#held;
    if (this.#state === 'answer') {
      divided.text += held;
      this.#held = '';
      return false;
    }
    const end = held.toLowerCase().indexOf(this.#closing);
    const taken = end < 0 ? held.length - openEnd(held.toLowerCase(), this.#closing) : end;
    divided.thinking += held.slice(0, taken);
    this.#held = held.slice(end < 0 ? taken : end + this.#closing.length);
    if (end < 0) return false;
    this.#state = 'lead';
    this.#isAfterThinking = true;
    return true;
  }

  #takeLead(): boolean {
    const lead = this.#held.trimStart();
    const lower = lead.toLowerCase();
    const tag = tags.find(([opening]) => lower.startsWith(opening));
    if (tag) {
      this.#held = lead.slice(tag[0].length);
      this.#begin(tag[1]);
      return true;
    }
    const mayBecomeTag = this.#held.length <= longestLead && tags.some(([opening]) => opening.startsWith(lower));
    if (mayBecomeTag) return false;
    if (this.#opensItself) this.#begin('</think>');
    else {
      this.#state = 'answer';
      if (this.#isAfterThinking) this.#held = lead;
    }
    return true;
  }

  #begin(closing: string): void {
    this.#opensItself = false;
    this.#closing = closing;
    this.#state = 'thinking';
  }
}

/** How many characters at the end of the text may be the beginning of the tag. */
export function openEnd(text: string, tag: string): number {
  const end = text.slice(-(tag.length - 1));
  for (let start = 0; start < end.length; start += 1) {
    if (tag.startsWith(end.slice(start))) return end.length - start;
  }
  return 0;
}

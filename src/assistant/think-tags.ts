/**
 * Thinking that a model writes into its text: `<think>…</think>` before the answer, the tags cut anywhere between two pieces.
 * Only leading tags count, because in the middle of an answer, or in a code block, they are text that somebody asked for. Marks
 * of channels are those of Gemma 4 and, in harmony's format, of gpt-oss, where a server hands them on unread.
 */
interface Tag {
  opening: string;
  closing: string;
  /** Finds the closing tag in upper or lower case. The text is not lowercased for that, because İ would become two characters. */
  end: RegExp;
}

const think = tag('<think>', '</think>');
const tags: readonly Tag[] = [
  think,
  tag('<thinking>', '</thinking>'),
  tag('<thought>', '</thought>'),
  tag('<reasoning>', '</reasoning>'),
  tag('[think]', '[/think]'),
  tag('◁think▷', '◁/think▷'),
  tag('<|channel>thought', '<channel|>'),
  ...['<|channel|>', '<|start|>assistant<|channel|>'].flatMap((start) => [
    tag(`${start}analysis<|message|>`, '<|end|>'),
    // Only leads to the answer.
    tag(`${start}final<|message|>`, ''),
  ]),
];

function tag(opening: string, closing: string): Tag {
  return { opening, closing, end: markPattern([closing], 'i') };
}

const longestOpening = Math.max(...tags.map(({ opening }) => opening.length));

/** More white space than this before an answer belongs to it. */
const longestLead = 1000;

export interface Divided {
  thinking: string;
  text: string;
}

export class ThinkTags {
  #state: 'lead' | 'thinking' | 'answer' = 'lead';
  #tag = think;
  #held = '';
  #isAfterThinking = false;
  #opensItself: boolean;

  /** `opensItself`: the model's template has written the opening tag, so the answer begins within the thinking. */
  constructor({ opensItself = false }: { opensItself?: boolean } = {}) {
    this.#opensItself = opensItself;
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
    const { closing, end: pattern } = this.#tag;
    const end = held.search(pattern);
    const taken = end < 0 ? held.length - openEnd(held.slice(-closing.length).toLowerCase(), closing) : end;
    divided.thinking += held.slice(0, taken);
    this.#held = held.slice(end < 0 ? taken : end + closing.length);
    if (end < 0) return false;
    this.#state = 'lead';
    this.#isAfterThinking = true;
    return true;
  }

  #takeLead(): boolean {
    const lead = this.#held.trimStart();
    const lower = lead.slice(0, longestOpening + 1).toLowerCase();
    const opened = tags.find(({ opening }) => lower.startsWith(opening));
    if (opened) {
      this.#held = lead.slice(opened.opening.length);
      this.#begin(opened);
      return true;
    }
    const mayBecomeTag = this.#held.length <= longestLead && tags.some(({ opening }) => opening.startsWith(lower));
    if (mayBecomeTag) return false;
    if (this.#opensItself) this.#begin(think);
    else {
      this.#state = 'answer';
      if (this.#isAfterThinking) this.#held = lead;
    }
    return true;
  }

  #begin(opened: Tag): void {
    this.#opensItself = false;
    this.#tag = opened;
    this.#state = 'thinking';
  }
}

/** Finds the first of the marks. */
export function markPattern(marks: readonly string[], flags = ''): RegExp {
  return new RegExp(marks.map((mark) => mark.replace(/[|{}[\]]/g, '\\$&')).join('|'), flags);
}

/** How many characters at the end of the text may be the beginning of the tag. */
export function openEnd(text: string, tag: string): number {
  const end = text.slice(-(tag.length - 1));
  for (let start = 0; start < end.length; start += 1) {
    if (tag.startsWith(end.slice(start))) return end.length - start;
  }
  return 0;
}

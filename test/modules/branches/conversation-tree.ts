/** The model of a conversation with branches: turns with variants, each of which has an answer and the next turn, if any. */
import type { ThreadStateName } from '../../../src/contract.js';

export interface Variant {
  id: string;
  text: string;
  answer: string | null;
  next: Turn | null;
}

export interface Turn {
  variants: Variant[];
  selected: number;
}

export class ConversationTree {
  state: ThreadStateName = 'ready';
  /** How often another branch became the active one. */
  branchVersion = 0;
  readonly #first: Turn;
  readonly #all: Variant[] = [];

  constructor(message: { id: string; text: string }) {
    this.#first = { variants: [this.#variant(message)], selected: 0 };
  }

  /** The turns of the active branch, in order. */
  get turns(): Turn[] {
    const turns: Turn[] = [];
    for (let turn: Turn | null = this.#first; turn; turn = selectedOf(turn).next) turns.push(turn);
    return turns;
  }

  /** The selected variants of the active branch. */
  get path(): Variant[] {
    return this.turns.map(selectedOf);
  }

  /** The messages of the active branch, as `role: text`. */
  get outline(): string[] {
    return this.path.flatMap(({ text, answer }) => [
      `user: ${text}`,
      ...(answer === null ? [] : [`assistant: ${answer}`]),
    ]);
  }

  /** All messages there are, on any branch. */
  get messages(): number {
    return this.#all.reduce((sum, { answer }) => sum + (answer === null ? 1 : 2), 0);
  }

  send(message: { id: string; text: string }): void {
    const last = this.path.at(-1);
    if (last) last.next = { variants: [this.#variant(message)], selected: 0 };
  }

  /** Adds a variant to a turn of the active branch, and selects it. */
  branch(turn: Turn, message: { id: string; text: string }): void {
    turn.variants.push(this.#variant(message));
    turn.selected = turn.variants.length - 1;
    this.branchVersion += 1;
  }

  select(turn: Turn, index: number): void {
    if (index === turn.selected) return;
    turn.selected = index;
    this.state = 'ready';
    this.branchVersion += 1;
  }

  #variant({ id, text }: { id: string; text: string }): Variant {
    const variant = { id, text, answer: null, next: null };
    this.#all.push(variant);
    return variant;
  }
}

export function selectedOf({ variants, selected }: Turn): Variant {
  const variant = variants[selected];
  if (!variant) throw new Error('the turn has no such variant');
  return variant;
}

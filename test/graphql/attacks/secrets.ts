/** What is stored so that nobody may find it in the wrong answer: texts of their own, and who may get to know each. */
import type { Scope } from '../../../src/contract.js';

export interface Secret {
  text: string;
  /** The owner's alone; else for the whole organization. */
  isPrivate: boolean;
  /** Of these a token needs one, whoever has it. */
  scopes: readonly Scope[];
}

/** How the made texts, ids and e-mail addresses look, wherever they stand. */
const form = /secret\d+[a-z]+|(?:thr|msg|att|tok)_[0-9a-z]{26}|[\w-]+@[\w-]+\.test/g;

export class Secrets {
  readonly #all = new Map<string, Secret>();

  /** A new text, which is no part of any other one. Without more, only the owner may know it. */
  make(what: string, { isPrivate = true, scopes = ['threads:read'] }: Partial<Secret> = {}): string {
    const text = `secret${this.#all.size}${what}`;
    this.add({ text, isPrivate, scopes });
    return text;
  }

  add(secret: Secret): void {
    this.#all.set(secret.text, secret);
  }

  /** Those that stand in an answer although `mayKnow` says no. */
  leaked(answer: string, mayKnow: (secret: Secret) => boolean): string[] {
    const found = [...new Set(answer.match(form))].flatMap((text) => this.#all.get(text) ?? []);
    return found.filter((secret) => !mayKnow(secret)).map(({ text }) => text);
  }
}

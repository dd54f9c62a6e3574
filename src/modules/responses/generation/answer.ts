/** The output of the model in one attempt. The stored text is exactly the concatenation of what the log was given. */
import { maximumReasoning } from '../../../contract.js';
import { createId } from '../../../ids.js';
import type { ContentBlock } from '../../messages/content.js';
import type { TokenEntry } from '../../tokens/log/attempt-text.js';
import type { OutcomeWriter } from '../../tokens/log/token-log.js';
import type { ClaimedResponse } from '../protocol/claimed-response.js';
import type { ConversationMessage, SpokenEvent } from './processor.js';
import type { PublishingFence } from './publishing-fence.js';
import { WellFormedText, wellFormed } from './well-formed-text.js';

type Choice = Extract<SpokenEvent, { type: 'choice' }>;

export class Answer {
  readonly id = createId('msg');
  /** Whether viewers have been given any of it. */
  wasSeen = false;
  /** Whether the model reached the maximum length of its answer. */
  isTruncated = false;
  usage: { inputTokens: number | null; outputTokens: number | null } = { inputTokens: null, outputTokens: null };
  readonly #fence: PublishingFence<TokenEntry>;
  readonly #incoming = { text: new WellFormedText(), thinking: new WellFormedText() };
  readonly #questions: ContentBlock[] = [];
  readonly #questionIds = new Set<string>();
  #text = '';
  #reasoning = '';

  constructor(tokens: OutcomeWriter, { run, fence }: { run: ClaimedResponse; fence: PublishingFence<TokenEntry> }) {
    const { threadId, messageId, epoch, payer, acceptedMs } = run;
    tokens.open(messageId, epoch, { threadId, senderId: payer.userId, acceptedMs });
    this.#fence = fence;
    fence.begin((entry) => {
      this.wasSeen = true;
      tokens.append(messageId, epoch, entry);
    });
  }

  /** The blocks of the assistant message; none without output. */
  get contents(): ContentBlock[] {
    return this.#text === '' ? this.#questions : [{ type: 'text', text: this.#text }, ...this.#questions];
  }

  /** What the model thought, up to the maximum; null if it thought nothing. */
  get reasoning(): string | null {
    // The last piece may have been cut within a character.
    return this.#reasoning === '' ? null : wellFormed(this.#reasoning.slice(0, maximumReasoning));
  }

  /** Called before the model answers: some models repeat the ids of their calls, but an id names one question of the branch. */
  follow(conversation: readonly ConversationMessage[]): void {
    for (const block of conversation.flatMap(({ contents }) => contents)) {
      if (block.type === 'user_get_choice') this.#questionIds.add(block.toolUseId);
    }
  }

  take(event: SpokenEvent): void {
    if (event.type === 'choice') this.#ask(event);
    else if (event.type === 'usage') this.usage = event;
    else if (event.type === 'truncated') this.isTruncated = true;
    else this.#say(event.type, this.#incoming[event.type].push(event.text));
  }

  /** Called when the model has finished. */
  complete(): void {
    this.#say('thinking', this.#incoming.thinking.flush());
    this.#say('text', this.#incoming.text.flush());
  }

  #ask({ toolUseId: given, question, choices }: Choice): void {
    const id = wellFormed(given);
    const toolUseId = this.#questionIds.has(id) ? `${this.id}_${this.#questions.length + 1}` : id;
    this.#questionIds.add(toolUseId);
    const said = { question: wellFormed(question), choices: choices.map(wellFormed) };
    this.#questions.push({ type: 'user_get_choice', toolUseId, ...said });
  }

  #say(kind: TokenEntry['kind'], text: string): void {
    if (text === '') return;
    if (kind === 'text') this.#text += text;
    else if (this.#reasoning.length < maximumReasoning) this.#reasoning += text;
    this.#fence.say({ kind, text });
  }
}

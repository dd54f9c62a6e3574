/** Decides what the demo model does in response to a conversation. Its texts are in `demo-texts.ts`. */
import type { ChoiceBlock } from '../../modules/messages/content.js';
import { textOf } from '../../modules/messages/content.js';
import type { ConversationMessage } from '../../modules/responses/generation/processor.js';
import { demoTexts } from './demo-texts.js';

export type DemoAct =
  | { type: 'text' | 'thinking'; text: string }
  | { type: 'choice'; toolUseId: string; question: string; choices: string[] }
  | { type: 'fail'; message: string; retryable: boolean };

export interface DemoPlay {
  slow: boolean;
  acts: DemoAct[];
}

interface Command {
  pattern: RegExp;
  acts: (conversation: readonly ConversationMessage[]) => DemoAct[];
}

const text = (words: string): DemoAct => ({ type: 'text', text: words });
const failure: DemoAct = { type: 'fail', message: demoTexts.failure, retryable: false };

/** The first match wins. */
const commands: readonly Command[] = [
  { pattern: /\bhelp\b/i, acts: () => [text(demoTexts.help)] },
  { pattern: /\bfail before\b/i, acts: () => [failure] },
  { pattern: /\bfail retry\b/i, acts: () => [text(demoTexts.beforeFailure), { ...failure, retryable: true }] },
  { pattern: /\bfail\b/i, acts: () => [text(demoTexts.beforeFailure), failure] },
  { pattern: /\bchoices?\b|\bask me\b/i, acts: askQuestion },
  { pattern: /\blong\b/i, acts: () => [text(demoTexts.longParagraph.repeat(demoTexts.longRepetitions))] },
];

/** Decides by the last message: an answer to a question of the demo, a command, or anything else. */
export function demoActs(conversation: readonly ConversationMessage[]): DemoPlay {
  const said = textOf(conversation.at(-1)?.contents ?? []);
  const question = openQuestion(conversation);
  const chosen = question?.choices.find((choice) => choice.toLowerCase() === said.trim().toLowerCase());
  if (chosen !== undefined) return { slow: false, acts: [text(demoTexts.chosen(chosen))] };

  const command = commands.find(({ pattern }) => pattern.test(said));
  const reply = question === undefined ? demoTexts.reply(quote(said)) : demoTexts.ownAnswer(quote(said));
  const acts = command === undefined ? [text(reply)] : command.acts(conversation);
  const thinking: DemoAct[] = /\bthink\b/i.test(said) ? [{ type: 'thinking', text: demoTexts.thinking }] : [];
  return { slow: /\bslow(ly)?\b/i.test(said), acts: [...thinking, ...acts] };
}

/** A summary with the number of messages and the first and last words of the user. */
export function demoSummary(conversation: readonly ConversationMessage[]): string {
  const said = conversation.filter(({ role }) => role === 'user').map(({ contents }) => textOf(contents));
  return demoTexts.summary(conversation.length, quote(said.at(0) ?? ''), quote(said.at(-1) ?? ''));
}

function askQuestion(conversation: readonly ConversationMessage[]): DemoAct[] {
  const { question, choices, beforeQuestion } = demoTexts;
  const toolUseId = `demo_question_${conversation.length}`;
  return [text(beforeQuestion), { type: 'choice', toolUseId, question, choices: [...choices] }];
}

/** The question that the last message answers, when the message before it asked one. */
function openQuestion(conversation: readonly ConversationMessage[]): ChoiceBlock | undefined {
  const previous = conversation.at(-2);
  if (previous?.role !== 'assistant') return undefined;
  return previous.contents.find((block) => block.type === 'user_get_choice');
}

/** As a Markdown quotation of at most 200 characters. */
function quote(words: string): string {
  const characters = Array.from(words.trim());
  const short = characters.length > 200 ? `${characters.slice(0, 200).join('')}…` : characters.join('');
  return short
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join('\n');
}

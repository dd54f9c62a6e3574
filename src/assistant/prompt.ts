/**
 * Converts a conversation to the messages of a prompt that no provider rejects: each question of the assistant has
 * exactly one result, and no message is empty. Otherwise a single stopped or unanswered question would make every later
 * message of the thread fail.
 */
import type { LanguageModelV3Message, LanguageModelV3ToolCallPart } from '@ai-sdk/provider';
import type { ChoiceBlock, ContentBlock } from '../modules/messages/content.js';
import { textOf } from '../modules/messages/content.js';
import type { ConversationMessage } from '../modules/responses/generation/processor.js';
import { choiceToolName } from './choice-tool.js';
import { type AttachedFiles, attachedParts, isAttachment, noFiles } from './files/attached-files.js';

const texts = {
  summary: 'Summary of the conversation so far:',
  answeredWithFirst: 'The user answered this together with the first question.',
  notAnswered: 'The user gave no answer.',
  emptyMessage: '[The message is empty.]',
};

/** `tool-calls` is the form that models are trained on; `text` is for servers that refuse it, or tools. */
export type QuestionForm = 'tool-calls' | 'text';

/**
 * The prompt of a whole conversation. `questions` tells how questions of the assistant appear in it. `files` has the
 * available attachments; the others are only mentioned.
 */
export function toModelMessages(
  conversation: readonly ConversationMessage[],
  questions: QuestionForm = 'tool-calls',
  files: AttachedFiles = noFiles,
): LanguageModelV3Message[] {
  const builder = new PromptBuilder(questions, files);
  for (const message of conversation) builder.add(message);
  return builder.finish();
}

class PromptBuilder {
  readonly #questions: QuestionForm;
  readonly #files: AttachedFiles;
  readonly #messages: LanguageModelV3Message[] = [];
  #callCount = 0;
  #openCalls: LanguageModelV3ToolCallPart[] = [];

  constructor(questions: QuestionForm, files: AttachedFiles) {
    this.#questions = questions;
    this.#files = files;
  }

  add({ role, contents }: ConversationMessage): void {
    if (role === 'assistant') this.#addAssistant(contents);
    else if (role === 'summary') this.#addSummary(contents);
    else this.#addUser(contents);
  }

  finish(): LanguageModelV3Message[] {
    this.#closeCalls(texts.notAnswered);
    return this.#messages;
  }

  #addUser(contents: ContentBlock[]): void {
    const parts = attachedParts(contents, this.#files);
    const text = plainText(withoutFiles(contents, this.#files)) || texts.emptyMessage;
    if (this.#openCalls.length > 0) {
      this.#closeCalls(text, texts.answeredWithFirst);
      if (parts.length > 0) this.#messages.push({ role: 'user', content: parts });
    } else {
      this.#messages.push({ role: 'user', content: [{ type: 'text', text }, ...parts] });
    }
  }

  /** Adds a user message, because some providers reject system messages within a conversation. */
  #addSummary(contents: ContentBlock[]): void {
    this.#closeCalls(texts.notAnswered);
    const text = `${texts.summary}\n\n${plainText(contents)}`;
    this.#messages.push({ role: 'user', content: [{ type: 'text', text }] });
  }

  #addAssistant(contents: ContentBlock[]): void {
    this.#closeCalls(texts.notAnswered);
    const text = plainText(contents, this.#questions);
    const calls = this.#questions === 'text' ? [] : contents.filter(isChoice).map((block) => this.#toCall(block));
    const textParts = text === '' ? [] : [{ type: 'text' as const, text }];
    if (textParts.length + calls.length === 0) return;
    this.#messages.push({ role: 'assistant', content: [...textParts, ...calls] });
    this.#openCalls = calls;
  }

  /**
   * The id says where the call stands. Those of the models are not used: some servers begin to count again in each response, some
   * refuse repeated ids, and Mistral all but nine letters and digits.
   */
  #toCall({ question, choices }: ChoiceBlock): LanguageModelV3ToolCallPart {
    this.#callCount += 1;
    const toolCallId = `q${String(this.#callCount).padStart(8, '0')}`;
    return { type: 'tool-call', toolCallId, toolName: choiceToolName, input: { question, choices } };
  }

  #closeCalls(first: string, others = first): void {
    if (this.#openCalls.length === 0) return;
    const content = this.#openCalls.map(({ toolCallId, toolName }, index) => ({
      type: 'tool-result' as const,
      toolCallId,
      toolName,
      output: { type: 'text' as const, value: index === 0 ? first : others },
    }));
    this.#messages.push({ role: 'tool', content });
    this.#openCalls = [];
  }
}

/** The message as text, with a note for each other block. Empty if it is only white space, which providers reject. */
function plainText(contents: ContentBlock[], questions: QuestionForm = 'tool-calls'): string {
  const notes = contents.map((block) => noteOf(block, questions));
  return [textOf(contents), ...notes].filter((paragraph) => paragraph.trim() !== '').join('\n\n');
}

function noteOf(block: ContentBlock, questions: QuestionForm): string {
  switch (block.type) {
    case 'text':
      return '';
    case 'image':
    case 'document':
      return `[Attached ${block.type}; its content is not part of this conversation.]`;
    case 'user_get_choice':
      return questions === 'text' ? [block.question, ...block.choices.map((choice) => `- ${choice}`)].join('\n') : '';
  }
}

/** The contents without the attachments that are separate parts of the prompt. */
function withoutFiles(contents: ContentBlock[], files: AttachedFiles): ContentBlock[] {
  return contents.filter((block) => !isAttachment(block) || !files.has(block.attachmentId));
}

export function isChoice(block: ContentBlock): block is ChoiceBlock {
  return block.type === 'user_get_choice';
}

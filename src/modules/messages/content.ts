/**
 * What a message says: an ordered list of blocks, stored as JSON in `message.contents`.
 * The set of variants is the specification's ("Content block variants"); names here are camelCase, REST renames them.
 */
export type ContentBlock = TextBlock | AttachmentBlock | ChoiceBlock;

export interface TextBlock {
  type: 'text';
  text: string;
}

export interface AttachmentBlock {
  type: 'image' | 'document';
  attachmentId: string;
}

/** A question of the assistant with the answers that it offers; the next user message of the thread answers it. */
export interface ChoiceBlock {
  type: 'user_get_choice';
  toolUseId: string;
  question: string;
  choices: string[];
}

/** The text blocks of a message, joined: what its `token` events add up to. */
export function textOf(contents: readonly ContentBlock[]): string {
  return contents.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

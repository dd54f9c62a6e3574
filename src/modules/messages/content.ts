/**
 * The content of a message: an ordered list of blocks, stored as JSON in `message.contents`. The variants are those of
 * the specification ("Content block variants"); names are camelCase here, and REST renames them.
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

/** A question of the assistant with its choices. The next user message of the thread is the answer. */
export interface ChoiceBlock {
  type: 'user_get_choice';
  toolUseId: string;
  question: string;
  choices: string[];
}

/** The concatenated text blocks of a message, to which its `token` events add up. */
export function textOf(contents: readonly ContentBlock[]): string {
  return contents.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

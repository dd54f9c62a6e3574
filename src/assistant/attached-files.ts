/** Attachments as parts of a prompt: images and PDF as they are, texts as text, and a note for what is not at hand. */
import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import type { AttachmentBlock, ContentBlock } from '../modules/messages/content.js';
import type { ConversationMessage } from '../modules/responses/processor.js';

export interface AttachedFile {
  name: string;
  mediaType: string;
  content: Uint8Array;
}

/** Attachments by their id. What is missing in it is not given to the model. */
export type AttachedFiles = ReadonlyMap<string, AttachedFile>;

/** Reads those with these ids, the newest last, as far as they fit into one request. */
export type ReadAttachments = (ids: readonly string[]) => Promise<AttachedFiles>;

export const noFiles: AttachedFiles = new Map();

/** Characters of a text that the model is given. */
const maximumText = 100_000;

/** The ids of all attachments of a conversation, oldest first. */
export function attachmentIds(conversation: readonly ConversationMessage[]): string[] {
  return conversation.flatMap(({ contents }) => contents.filter(isAttachment).map((block) => block.attachmentId));
}

/** The parts for the attachments of a message that are at hand. */
export function attachedParts(contents: readonly ContentBlock[], files: AttachedFiles) {
  return contents.filter(isAttachment).flatMap((block) => {
    const file = files.get(block.attachmentId);
    return file ? [partOf(file)] : [];
  });
}

function partOf({ name, mediaType, content }: AttachedFile): LanguageModelV3TextPart | LanguageModelV3FilePart {
  if (mediaType.startsWith('image/')) return { type: 'file', data: content, mediaType };
  if (mediaType === 'application/pdf') return { type: 'file', data: content, mediaType, filename: name };
  const text = new TextDecoder().decode(content);
  const kept =
    text.length > maximumText ? `${text.slice(0, maximumText).toWellFormed()}\n[The rest is left out.]` : text;
  return { type: 'text', text: `Attached document ${JSON.stringify(name)}:\n\n${kept}` };
}

export function isAttachment(block: ContentBlock): block is AttachmentBlock {
  return block.type === 'image' || block.type === 'document';
}

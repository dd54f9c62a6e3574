/** Attachments as parts of a prompt: images and PDF as they are, texts as text, and a note for what is not at hand. */
import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import type { AttachmentBlock, ContentBlock } from '../modules/messages/content.js';
import type { ConversationMessage } from '../modules/responses/generation/processor.js';
import type { OutgoingFile } from './outgoing-files.js';

interface Head {
  name: string;
  mediaType: string;
  /** Bytes. */
  size: number;
}

/** A file at hand: a text as far as a model is given it, or bytes that are read when they are sent. */
export type AttachedFile = Head & ({ beginning: Uint8Array } | Pick<OutgoingFile, 'read'>);

/** Finds those with these ids, the newest last, as far as they fit into one request. */
export type ReadAttachments = (ids: readonly string[]) => Promise<ReadonlyMap<string, AttachedFile>>;

/** What a prompt has of a file: its text, or what stands for its bytes. */
export type PromptFile = Pick<Head, 'name' | 'mediaType'> & ({ text: string } | { data: string });

/** Files of a prompt by the id of the attachment. What is missing in it is not given to the model. */
export type AttachedFiles = ReadonlyMap<string, PromptFile>;

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

function partOf(file: PromptFile): LanguageModelV3TextPart | LanguageModelV3FilePart {
  const { name, mediaType } = file;
  if ('data' in file) {
    const part = { type: 'file' as const, data: file.data, mediaType };
    return mediaType.startsWith('image/') ? part : { ...part, filename: name };
  }
  return { type: 'text', text: `Attached document ${JSON.stringify(name)}:\n\n${file.text}` };
}

/** The text that a model is given of a document. */
export function textOfDocument(beginning: Uint8Array): string {
  const text = new TextDecoder().decode(beginning);
  return text.length > maximumText ? `${text.slice(0, maximumText).toWellFormed()}\n[The rest is left out.]` : text;
}

export function isAttachment(block: ContentBlock): block is AttachmentBlock {
  return block.type === 'image' || block.type === 'document';
}

/**
 * Converts attachments to parts of a prompt: images and PDF as they are, text files as text, and a note for files that
 * are not available.
 */
import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import type { AttachmentBlock, ContentBlock } from '../../modules/messages/content.js';
import type { ConversationMessage } from '../../modules/responses/generation/processor.js';
import type { OutgoingFile } from './outgoing-files.js';

interface Head {
  name: string;
  mediaType: string;
  /** In bytes. */
  size: number;
}

/** An available file: the beginning of a text, or bytes that are read while they are sent. */
export type AttachedFile = Head & ({ beginning: Uint8Array } | Pick<OutgoingFile, 'read'>);

/** Reads the attachments with these ids, the newest last, as far as they fit into one request. */
export type ReadAttachments = (ids: readonly string[]) => Promise<ReadonlyMap<string, AttachedFile>>;

/** A file within a prompt: its text, or the placeholder for its bytes. */
export type PromptFile = Pick<Head, 'name' | 'mediaType'> & ({ text: string } | { data: string });

/** Files of a prompt by attachment id. The model is not given files that are missing here. */
export type AttachedFiles = ReadonlyMap<string, PromptFile>;

export const noFiles: AttachedFiles = new Map();

/** Maximum number of characters of a text file that the model is given. */
const maximumText = 100_000;

/** The ids of all attachments of a conversation, oldest first. */
export function attachmentIds(conversation: readonly ConversationMessage[]): string[] {
  return conversation.flatMap(({ contents }) => contents.filter(isAttachment).map((block) => block.attachmentId));
}

/** The parts for the available attachments of a message. */
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

/** The text of a document, as the model is given it. */
export function textOfDocument(beginning: Uint8Array): string {
  const text = new TextDecoder().decode(beginning);
  return text.length > maximumText ? `${text.slice(0, maximumText).toWellFormed()}\n[The rest is left out.]` : text;
}

export function isAttachment(block: ContentBlock): block is AttachmentBlock {
  return block.type === 'image' || block.type === 'document';
}

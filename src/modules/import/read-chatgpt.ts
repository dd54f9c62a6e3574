/**
 * A conversation of ChatGPT's `conversations.json`: `mapping` has the nodes of a tree, and `current_node` is the end of
 * the branch shown last.
 */
import { z } from 'zod';
import type { MessagePart, SourceConversation, SourceMessage } from './source-conversation.js';
import { count, maybe, textOfParts } from './source-conversation.js';

const metadata = z.object({
  model_slug: maybe.text,
  is_visually_hidden_from_conversation: maybe.flag,
  attachments: maybe.list,
});

const message = z.object({
  author: z.object({ role: z.string() }),
  content: z.object({ content_type: z.string(), parts: maybe.list, text: maybe.text, language: maybe.text }),
  create_time: maybe.time,
  recipient: maybe.text,
  metadata: maybe.of(metadata),
});
type Message = z.infer<typeof message>;

const node = z.object({ parent: maybe.text, message: z.unknown().optional() });

const conversation = z.object({
  id: maybe.text,
  conversation_id: maybe.text,
  title: maybe.text,
  create_time: maybe.time,
  is_archived: maybe.flag,
  /** Since 2026 most messages name no model of their own. */
  default_model_slug: maybe.text,
  current_node: maybe.text,
  mapping: z.record(z.string(), z.unknown()),
});

/** Null for what is no such conversation. */
export function readChatGpt(value: unknown): SourceConversation | null {
  const { data } = conversation.safeParse(value);
  if (!data) return null;
  return {
    source: 'chatgpt',
    id: data.conversation_id ?? data.id ?? null,
    title: data.title ?? null,
    createdAt: data.create_time,
    isArchived: data.is_archived ?? false,
    current: data.current_node ?? null,
    messages: new Map(
      Object.entries(data.mapping).map(([id, given]) => [id, readNode(given, data.default_model_slug ?? null)]),
    ),
  };
}

/** The root of the tree, and what cannot be understood, are nodes without a message. */
function readNode(given: unknown, usualModel: string | null): SourceMessage {
  const { data } = node.safeParse(given);
  const { data: said } = message.safeParse(data?.message);
  const { text, leftOut } = textOfParts(said ? partsOf(said) : []);
  const role = said?.author.role;
  if (role === 'user') count(leftOut, 'file', (said?.metadata?.attachments?.length ?? 0) - (leftOut.file ?? 0));
  return {
    parent: data?.parent ?? null,
    role: role === 'user' || role === 'assistant' ? role : null,
    text,
    leftOut,
    createdAt: said?.create_time ?? null,
    model: said?.metadata?.model_slug ?? (role === 'assistant' ? usualModel : null),
  };
}

function partsOf({ author, content, recipient, metadata: about }: Message): MessagePart[] {
  if (author.role === 'system' || about?.is_visually_hidden_from_conversation) return [{ leftOut: 'system' }];
  if (author.role !== 'user' && author.role !== 'assistant') return [{ leftOut: 'tool' }];
  // What the assistant says to a tool is no message to a person.
  if ((recipient ?? 'all') !== 'all') return [{ leftOut: 'tool' }];
  switch (content.content_type) {
    case 'text':
    case 'multimodal_text':
      return (content.parts ?? []).map(partOf);
    case 'code':
      return [{ text: `\`\`\`${/^\w*$/.exec(content.language ?? '')?.[0] ?? ''}\n${content.text ?? ''}\n\`\`\`` }];
    case 'thoughts':
    case 'reasoning_recap':
      return [{ leftOut: 'reasoning' }];
    case 'user_editable_context':
    case 'model_editable_context':
      return [{ leftOut: 'system' }];
    default:
      return [{ leftOut: 'tool' }];
  }
}

const transcription = z.object({ content_type: z.literal('audio_transcription'), text: z.string() });

function partOf(part: unknown): MessagePart {
  if (typeof part === 'string') return { text: withoutCitations(part) };
  const { data } = transcription.safeParse(part);
  return data ? { text: data.text } : { leftOut: 'file' };
}

/** Citations are marks of the private use area, which only ChatGPT can resolve. */
function withoutCitations(text: string): string {
  return text.replace(/\ue200[^\ue200\ue201]*\ue201/g, '');
}

/**
 * A conversation as LibreChat exports it: a list of messages that name the one before them, or a tree in which each message has its
 * `children`. The export does not say which branch was shown, so it is the one with the newest message.
 */
import { z } from 'zod';
import type { MessagePart, SourceConversation, SourceMessage } from './source-conversation.js';
import { count, maybe, textOfParts } from './source-conversation.js';

const message = z.object({
  messageId: maybe.text,
  parentMessageId: maybe.text,
  isCreatedByUser: z.boolean(),
  text: maybe.text,
  content: maybe.list,
  files: maybe.list,
  createdAt: maybe.time,
  model: maybe.text,
  children: maybe.list,
});
type Message = z.infer<typeof message>;

const conversation = z.object({
  conversationId: z.string(),
  title: maybe.text,
  messages: maybe.of(z.union([z.array(z.unknown()), z.object({ children: z.array(z.unknown()) })])),
  messagesTree: maybe.list,
});

/** Null for what is no such conversation. */
export function readLibreChat(value: unknown): SourceConversation | null {
  const { data } = conversation.safeParse(value);
  const given = data?.messagesTree ?? data?.messages;
  if (!data || !given) return null;
  return {
    source: 'librechat',
    id: data.conversationId,
    title: data.title ?? null,
    createdAt: null,
    isArchived: false,
    current: null,
    messages: readMessages(Array.isArray(given) ? given : given.children),
  };
}

/** Goes through the tree without recursion, because it is as deep as the conversation is long. */
function readMessages(given: readonly unknown[]): Map<string, SourceMessage> {
  const messages = new Map<string, SourceMessage>();
  const isTree = given.some((item) => message.safeParse(item).data?.children);
  const left = given.map((item) => ({ item, parent: null as string | null })).toReversed();
  let before: string | null = null;
  for (let next = left.pop(); next; next = left.pop()) {
    const { data } = message.safeParse(next.item);
    if (!data) continue;
    const id = data.messageId ?? `${messages.size}`;
    messages.set(id, readMessage(data, isTree ? next.parent : (data.parentMessageId ?? before)));
    before = id;
    for (const item of (data.children ?? []).toReversed()) left.push({ item, parent: id });
  }
  return messages;
}

function readMessage(said: Message, parent: string | null): SourceMessage {
  const { text, leftOut } = textOfParts(said.content?.length ? said.content.map(partOf) : [{ text: said.text ?? '' }]);
  count(leftOut, 'file', said.files?.length ?? 0);
  const { createdAt, model = null } = said;
  return { parent, role: said.isCreatedByUser ? 'user' : 'assistant', text, leftOut, createdAt, model };
}

const textPart = z.object({ type: z.literal('text'), text: z.union([z.string(), z.object({ value: z.string() })]) });
const otherPart = z.object({ type: z.string() });

function partOf(part: unknown): MessagePart {
  const text = textPart.safeParse(part).data?.text;
  if (text !== undefined) return { text: typeof text === 'string' ? text : text.value };
  const type = otherPart.safeParse(part).data?.type;
  if (type === 'think') return { leftOut: 'reasoning' };
  return { leftOut: type?.startsWith('tool') ? 'tool' : type === 'error' ? 'empty' : 'file' };
}

/** A chat of Open WebUI's export: `history.messages` has the messages by id, and `history.currentId` is the end of the branch shown last. */
import { z } from 'zod';
import type { MessagePart, SourceConversation, SourceMessage } from './source-conversation.js';
import { count, maybe, textOfParts } from './source-conversation.js';

const message = z.object({
  parentId: maybe.text,
  role: z.string(),
  content: z.unknown().optional(),
  timestamp: maybe.time,
  model: maybe.text,
  files: maybe.list,
});

const chat = z.object({
  id: maybe.text,
  title: maybe.text,
  timestamp: maybe.time,
  history: maybe.of(z.object({ currentId: maybe.text, messages: z.record(z.string(), z.unknown()) })),
  messages: maybe.list,
});

const conversation = z.object({
  id: maybe.text,
  title: maybe.text,
  created_at: maybe.time,
  archived: maybe.flag,
  chat,
});

/** Null for what is no such chat. */
export function readOpenWebUi(value: unknown): SourceConversation | null {
  const { data } = conversation.safeParse(value);
  const { history, messages } = data?.chat ?? {};
  if (!data || (!history && !messages)) return null;
  return {
    source: 'open-webui',
    id: data.id ?? data.chat.id ?? null,
    title: data.title ?? data.chat.title ?? null,
    createdAt: data.created_at ?? data.chat.timestamp,
    isArchived: data.archived ?? false,
    current: history?.currentId ?? null,
    messages: history
      ? new Map(Object.entries(history.messages).map(([id, given]) => [id, readMessage(given)]))
      : lineOf(messages ?? []),
  };
}

/** The oldest exports have a list only. */
function lineOf(messages: readonly unknown[]): Map<string, SourceMessage> {
  return new Map(
    messages.map((given, at) => [`${at}`, { ...readMessage(given), parent: at === 0 ? null : `${at - 1}` }]),
  );
}

function readMessage(given: unknown): SourceMessage {
  const { data } = message.safeParse(given);
  const role = data?.role === 'user' || data?.role === 'assistant' ? data.role : null;
  const { text, leftOut } = textOfParts(role ? partsOf(data?.content) : []);
  if (data && !role) count(leftOut, data.role === 'tool' ? 'tool' : 'system');
  count(leftOut, 'file', data?.files?.length ?? 0);
  return {
    parent: data?.parentId ?? null,
    role,
    text,
    leftOut,
    createdAt: data?.timestamp ?? null,
    model: data?.model ?? null,
  };
}

const textPart = z.object({ type: z.literal('text'), text: z.string() });

function partsOf(content: unknown): MessagePart[] {
  if (typeof content === 'string') return [...withoutDetails(content)];
  if (!Array.isArray(content)) return [];
  return content.map((part): MessagePart => {
    const { data } = textPart.safeParse(part);
    return data ? { text: data.text } : { leftOut: 'file' };
  });
}

const detailsStart = '<details type="';
const detailsEnd = '</details>';

/** The service writes what the model thought, and the tools that it called, into the text, as elements of HTML. */
function* withoutDetails(content: string): Generator<MessagePart, void, void> {
  let from = 0;
  for (;;) {
    const start = content.indexOf(detailsStart, from);
    const end = start < 0 ? -1 : content.indexOf(detailsEnd, start);
    const text = content.slice(from, end < 0 ? undefined : start).trim();
    if (text !== '') yield { text };
    if (end < 0) return;
    const isReasoning = content.startsWith('reasoning"', start + detailsStart.length);
    yield { leftOut: isReasoning ? 'reasoning' : 'tool' };
    from = end + detailsEnd.length;
  }
}

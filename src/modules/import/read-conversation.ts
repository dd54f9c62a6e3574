/**
 * Reads one conversation of an export of another service, in any of the formats. Whatever the bytes are, this neither throws nor
 * returns more than the limits of an import.
 */
import { createHash } from 'node:crypto';
import { textLimits } from '../../contract.js';
import { wellFormed } from '../responses/generation/well-formed-text.js';
import { type ImportRefusal, importLimits } from './file/import-limits.js';
import { readChatGpt } from './read-chatgpt.js';
import { readLibreChat } from './read-librechat.js';
import { readOpenWebUi } from './read-open-webui.js';
import { count, type Omissions, type SourceConversation, type SourceMessage } from './source-conversation.js';

export interface ReadMessage {
  role: 'user' | 'assistant';
  text: string;
  /** Null where the export has no time. */
  createdAt: Date | null;
  model: string | null;
}

export interface ReadConversation {
  /** Which conversation of which service it is. */
  key: string;
  title: string | null;
  createdAt: Date | null;
  isArchived: boolean;
  messages: ReadMessage[];
  leftOut: Omissions;
}

export function readConversation(json: Uint8Array): ReadConversation | { refusal: ImportRefusal } {
  const value = parsed(json);
  const source = readChatGpt(value) ?? readOpenWebUi(value) ?? readLibreChat(value);
  if (!source) return { refusal: 'malformed' };
  const { messages, leftOut } = keptOf(source);
  if (messages.length === 0) return { refusal: 'empty' };
  const characters = messages.reduce((sum, { text }) => sum + text.length, 0);
  if (messages.length > importLimits.messages || characters > importLimits.characters) return { refusal: 'too_large' };
  const { createdAt, isArchived } = source;
  const title = cut(wellFormed(source.title ?? '').trim());
  const key = `${source.source}:${isPlainId(source.id) ? source.id : digestOf(title, messages)}`;
  return { key, title: title === '' ? null : title, createdAt, isArchived, messages, leftOut };
}

/** Undefined for what is no JSON. */
function parsed(json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch {
    return undefined;
  }
}

function keptOf(source: SourceConversation): { messages: ReadMessage[]; leftOut: Omissions } {
  const branch = branchOf(source);
  const leftOut: Omissions = {};
  const messages = branch.flatMap((message) => kept(message, leftOut) ?? []);
  const said = [...source.messages.values()].filter(({ role, text }) => role && text.trim() !== '').length;
  const onBranch = branch.filter(({ role, text }) => role && text.trim() !== '').length;
  count(leftOut, 'branch', said - onBranch);
  return { messages, leftOut };
}

/** The messages from the first one to the end of the active branch. A circle of messages ends where it began. */
function branchOf({ messages, current }: SourceConversation): SourceMessage[] {
  const branch: SourceMessage[] = [];
  const seen = new Set<string>();
  let id = current !== null && messages.has(current) ? current : newestEnd(messages);
  while (id !== null && !seen.has(id)) {
    seen.add(id);
    const message = messages.get(id);
    if (message) branch.push(message);
    id = message?.parent ?? null;
  }
  return branch.toReversed();
}

/** Of the messages that no other follows, the newest one, or the last one where there are no times. */
function newestEnd(messages: SourceConversation['messages']): string | null {
  const parents = new Set([...messages.values()].map(({ parent }) => parent));
  let newest = null as { id: string; at: number } | null;
  for (const [id, { createdAt }] of messages) {
    const at: number = createdAt?.getTime() ?? newest?.at ?? 0;
    if (!parents.has(id) && (newest === null || at >= newest.at)) newest = { id, at };
  }
  return newest?.id ?? null;
}

/** Null for a message that is left out. Notes what of it is. */
function kept({ role, text: given, leftOut, createdAt, model }: SourceMessage, total: Omissions): ReadMessage | null {
  for (const [what, times] of Object.entries(leftOut)) count(total, what as keyof Omissions, times);
  if (role === null) return null;
  const text = wellFormed(given).trim();
  if (text === '') {
    if (Object.keys(leftOut).length === 0) count(total, 'empty');
    return null;
  }
  const { max } = textLimits.message;
  if (text.length > max && [...text].length > max) {
    count(total, 'too_long');
    return null;
  }
  return { role, text, createdAt, model: model === null ? null : cut(wellFormed(model)) };
}

function cut(text: string): string {
  const { max } = textLimits.name;
  return text.length > max ? [...text.slice(0, 2 * max)].slice(0, max).join('') : text;
}

function isPlainId(id: string | null): id is string {
  return id !== null && /^[\w.:-]{1,100}$/.test(id);
}

/** A conversation without an id is known by what it says. */
function digestOf(title: string, messages: readonly ReadMessage[]): string {
  return createHash('sha256')
    .update(JSON.stringify([title, messages]))
    .digest('hex');
}

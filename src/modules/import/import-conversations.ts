/**
 * Imports conversations of other services as threads of a user. Each is stored by a statement of its own and is known by its key, so
 * an import that ended halfway is simply repeated: what is there already is counted and stays as it is.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { createId } from '../../ids.js';
import type { Viewer } from '../identity/authenticate.js';
import { type FinishedMessage, type FinishedThread, storeFinished } from '../responses/protocol/store-finished.js';
import { sqlStateOf } from '../sql-state.js';
import { openingOf } from '../threads/opening.js';
import type { ImportRefusal } from './file/import-limits.js';
import type { JsonElement } from './file/json-elements.js';
import { type ReadConversation, readConversation } from './read-conversation.js';
import { count, type Omissions } from './source-conversation.js';

export interface ImportSummary {
  imported: number;
  /** Conversations that were imported before. */
  existing: number;
  /** Conversations that are left out. */
  refused: Partial<Record<ImportRefusal, number>>;
  /** What is left out of the conversations that were imported. */
  leftOut: Omissions;
}

export type ImportOwner = Pick<Viewer, 'userId' | 'organizationId'>;

export function emptySummary(): ImportSummary {
  return { imported: 0, existing: 0, refused: {}, leftOut: {} };
}

/** Adds to the summary. */
export async function importConversations(
  database: PrismaClient,
  owner: ImportOwner,
  { elements, summary }: { elements: Iterable<JsonElement>; summary: ImportSummary },
): Promise<void> {
  for (const element of elements) {
    const conversation = 'bytes' in element ? readConversation(element.bytes) : element;
    const outcome = 'refusal' in conversation ? conversation.refusal : await store(database, owner, conversation);
    if (outcome !== 'imported' && outcome !== 'existing') {
      summary.refused[outcome] = (summary.refused[outcome] ?? 0) + 1;
      continue;
    }
    summary[outcome] += 1;
    if (outcome === 'existing' || 'refusal' in conversation) continue;
    for (const [what, times] of Object.entries(conversation.leftOut)) {
      count(summary.leftOut, what as keyof Omissions, times);
    }
  }
}

/** What takes longer than any statement may is too large for this database. */
async function store(
  database: PrismaClient,
  { userId, organizationId }: ImportOwner,
  conversation: ReadConversation,
): Promise<'imported' | 'existing' | ImportRefusal> {
  try {
    const isNew = await storeFinished(database, threadOf({ userId, organizationId }, conversation));
    return isNew ? 'imported' : 'existing';
  } catch (error) {
    if (sqlStateOf(error) === queryCanceled) return 'too_large';
    throw error;
  }
}

const queryCanceled = '57014';

function threadOf({ userId, organizationId }: ImportOwner, conversation: ReadConversation): FinishedThread {
  const [first] = conversation.messages;
  return {
    id: createId('thr'),
    organizationId,
    ownerId: userId,
    importKey: conversation.key,
    name: conversation.title,
    opening: openingOf(first?.text ?? ''),
    isArchived: conversation.isArchived,
    createdAt: startOf(conversation),
    messages: messagesOf(conversation),
  };
}

/** Answers belong to the user message before them. Times never go backwards, because the order by time is that of the messages. */
function messagesOf({ createdAt, messages }: Pick<ReadConversation, 'createdAt' | 'messages'>): FinishedMessage[] {
  const rows: FinishedMessage[] = [];
  let asked: FinishedMessage | null = null;
  let answers = 0;
  let time = startOf({ createdAt, messages });
  for (const { role, text, createdAt: said, model } of messages) {
    time = said && (!time || said > time) ? said : time;
    const id = createId('msg');
    if (role === 'user') {
      asked = { id, role, text, answers: null, response: null, createdAt: time };
      answers = 0;
      rows.push(asked);
    } else {
      if (asked) asked.response = { model: model ?? asked.response?.model ?? null, endedAt: time };
      rows.push({
        id,
        role,
        text,
        answers: asked && { messageId: asked.id, position: answers },
        response: null,
        createdAt: time,
      });
      answers += 1;
    }
  }
  return rows;
}

/** Some exports have a conversation begin after its first message. */
function startOf({ createdAt, messages }: Pick<ReadConversation, 'createdAt' | 'messages'>): Date | null {
  const first = messages[0]?.createdAt ?? null;
  return createdAt && first && first < createdAt ? first : (createdAt ?? first);
}

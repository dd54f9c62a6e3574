/** The attachment that carries conversations to import. It is never sent with a message, and removed once they are imported. */
import type { Context } from '../../builder.js';
import { InvalidInputError, NotFoundError } from '../../errors.js';
import { loadWithRoom } from '../load-with-room.js';
import { importLimits } from './file/import-limits.js';
import { type JsonElement, JsonElements, NoJsonError } from './file/json-elements.js';

type Upload = Pick<Context, 'database' | 'viewer' | 'answer'>;

/** Throws a `NotFoundError` if the viewer has no such upload, and an `InvalidInputError` if it holds no or too many conversations. */
export async function readUpload({ database, viewer, answer }: Upload, id: string): Promise<JsonElement[]> {
  const [upload] = await loadWithRoom(answer, {
    read: () => database.$queryRaw<{ bytes: number; content: Uint8Array | null }[]>`
      SELECT size AS bytes, CASE WHEN size <= ${answer.loadable}::int THEN content END AS content FROM attachment
      WHERE id = ${id} AND owner_id = ${viewer.userId} AND message_id IS NULL AND content IS NOT NULL
        AND media_type = 'application/json'`,
    isLeft: ({ content }) => content === null,
  });
  if (!upload?.content) throw new NotFoundError('attachment');
  const elements = elementsOf(upload.content);
  if (!elements) throw unusable('must contain a JSON list of conversations, or one of them');
  const { batchConversations } = importLimits;
  if (elements.length > batchConversations) throw unusable(`must contain at most ${batchConversations} conversations`);
  return elements;
}

export async function forgetUpload({ database, viewer }: Upload, id: string): Promise<void> {
  await database.attachment.deleteMany({ where: { id, ownerId: viewer.userId, messageId: null } });
}

/** Null for what is no JSON. */
function elementsOf(content: Uint8Array): JsonElement[] | null {
  const elements = new JsonElements(importLimits);
  try {
    return [...elements.push(content), ...elements.end()];
  } catch (error) {
    if (error instanceof NoJsonError) return null;
    throw error;
  }
}

function unusable(message: string): InvalidInputError {
  return new InvalidInputError([{ field: 'attachmentId', message }]);
}

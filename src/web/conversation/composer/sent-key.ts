/**
 * Under which idempotency key a draft was sent, until the service is known to have accepted it. If the answer is lost, also with the
 * page, the text returns to its draft; sent again untouched, it has the same key, so that nobody gets it twice (docs/rest.md, Sending
 * safely).
 */
import { newIdempotencyKey } from '../../api/idempotency-key.js';
import { storeIfRoom } from '../../ui/state/store-if-room.js';

interface Sent {
  /** The text, and the ids of the files. */
  content: string;
  key: string;
}

/** The key to send this under, which is kept in this browser under a name: that of the last time, if it is the same. */
export function takeSentKey(name: string, text: string, files: readonly { id: string | null }[]): string {
  const content = JSON.stringify([text, ...files.map(({ id }) => id)]);
  const last: Sent | null = JSON.parse(localStorage.getItem(name) ?? 'null');
  if (last?.content === content) return last.key;
  const sent: Sent = { content, key: newIdempotencyKey() };
  storeIfRoom(name, JSON.stringify(sent));
  return sent.key;
}

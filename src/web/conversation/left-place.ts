/**
 * Where one was reading when the page was left, so that the conversation opens there when the page is loaded again, by an upgrade or
 * by the person. Whoever was at the end stays at the end.
 */
const key = 'skein.place';
let left = sessionStorage.getItem(key)?.split(' ') ?? [];

/** The message in the middle of the page that was left, if it was in this thread; null at its end. It is asked for once. */
export function takeLeftPlace(threadId: string): string | null {
  const [thread, messageId = null] = left;
  left = [];
  return thread === threadId ? messageId : null;
}

/** Called for the conversation that is shown. Returns a function to be called when it no longer is. */
export function keepPlace(threadId: string): () => void {
  const keep = () => sessionStorage.setItem(key, `${threadId} ${messageInSight() ?? ''}`.trim());
  addEventListener('pagehide', keep);
  return () => {
    removeEventListener('pagehide', keep);
    sessionStorage.removeItem(key);
  };
}

function messageInSight(): string | undefined {
  const messages = document.querySelector('.messages:has(.messages-end)')?.getBoundingClientRect();
  if (!messages) return undefined;
  const { left, top, width, height } = messages;
  return document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.message')?.id;
}

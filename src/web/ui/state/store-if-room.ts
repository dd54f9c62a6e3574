/**
 * Stores a text in this browser, and returns whether there was room for it. Without room, the page goes on: what somebody writes in
 * it can still be sent.
 */
export function storeIfRoom(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    if (!isFull) throw error;
    return false;
  }
}

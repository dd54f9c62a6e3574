/** Stores a text in this browser. Without room for it, the page goes on: what somebody writes in it can still be sent. */
export function storeIfRoom(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch (error) {
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    if (!isFull) throw error;
  }
}

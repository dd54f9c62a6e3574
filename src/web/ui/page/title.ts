/**
 * The title of the page, which is the first thing that a screen reader announces. The number of unread threads precedes it, so
 * that it is seen in a tab in the background.
 */
import { useEffect } from 'react';

const shown = { title: 'Skein', unread: 0 };

function show(change: Partial<typeof shown>): void {
  const { title, unread } = Object.assign(shown, change);
  const count = unread > 0 ? `(${unread}) ` : '';
  document.title = count + (title === 'Skein' ? title : `${title} · Skein`);
}

export function useTitle(title: string): void {
  useEffect(() => show({ title }), [title]);
}

/** Sets the number of unread threads. */
export function useUnreadCount(unread: number): void {
  useEffect(() => {
    show({ unread });
    return () => show({ unread: 0 });
  }, [unread]);
}

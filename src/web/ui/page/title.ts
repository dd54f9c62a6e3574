/** Sets the title of the page, which is the first thing that a screen reader announces. */
import { useEffect } from 'react';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Skein' ? title : `${title} · Skein`;
  }, [title]);
}

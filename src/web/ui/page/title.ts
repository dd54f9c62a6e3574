/** The title of the page, which is also the first thing that a screen reader says of it. */
import { useEffect } from 'react';

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === 'Skein' ? title : `${title} · Skein`;
  }, [title]);
}

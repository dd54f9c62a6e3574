/**
 * The text of an answer. What renders Markdown is loaded apart, again and again where the network fails; until it is there, the
 * same words stand there as they came.
 */
import { memo, startTransition, useEffect, useState } from 'react';
import type { Markdown } from './markdown.js';
import './highlight.css';
import './rich.css';

const pauseMs = 2000;

let loaded: typeof Markdown | null = null;
let isLoading = false;
const listeners = new Set<() => void>();

/** Starts to load what renders Markdown, before there is anything to render. */
export function preloadMarkdown(): void {
  if (loaded || isLoading) return;
  isLoading = true;
  import('./markdown.js').then(
    (module) => {
      loaded = module.Markdown;
      for (const listener of listeners) listener();
    },
    () => {
      isLoading = false;
      setTimeout(preloadMarkdown, pauseMs);
    },
  );
}

/** What renders Markdown, as soon as it is there. To render all that waited for it takes long, and is done in slices. */
function useMarkdown(): typeof Markdown | null {
  const [found, setFound] = useState(() => loaded);
  useEffect(() => {
    if (found) return;
    const take = () => startTransition(() => setFound(() => loaded));
    listeners.add(take);
    preloadMarkdown();
    // It may have come since this was rendered.
    if (loaded) take();
    return () => void listeners.delete(take);
  }, [found]);
  return found;
}

export const RichText = memo(({ text, isGrowing = false }: { text: string; isGrowing?: boolean }) => {
  const Rendered = useMarkdown();
  return (
    <div className="rich">
      {Rendered ? <Rendered text={text} isGrowing={isGrowing} /> : <p className="plain">{text}</p>}
    </div>
  );
});

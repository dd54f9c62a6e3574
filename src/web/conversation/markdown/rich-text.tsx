/**
 * The text of an answer. The Markdown renderer is loaded apart from the first view; until it is loaded, the source text is shown.
 */
import { memo, startTransition, useEffect, useState } from 'react';
import { importWithRetry } from '../../ui/state/import-with-retry.js';
import type { Markdown } from './markdown.js';
import './highlight.css';
import './rich.css';

let loaded: typeof Markdown | null = null;
let isLoading = false;
const listeners = new Set<() => void>();

/** Starts loading the renderer before there is anything to render. */
export function preloadMarkdown(): void {
  if (loaded || isLoading) return;
  isLoading = true;
  void importWithRetry(() => import('./markdown.js')).then((module) => {
    loaded = module.Markdown;
    for (const listener of listeners) listener();
  });
}

/** The renderer once it is loaded, else null. Everything that waited for it is rendered in a transition, in time slices. */
function useMarkdown(): typeof Markdown | null {
  const [found, setFound] = useState(() => loaded);
  useEffect(() => {
    if (found) return;
    const take = () => startTransition(() => setFound(() => loaded));
    listeners.add(take);
    preloadMarkdown();
    // It may have been loaded since this was rendered.
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

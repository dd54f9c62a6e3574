/**
 * The text of an answer. What renders Markdown is loaded apart, again and again where the network fails; until it is there, the
 * same words stand there as they came.
 */
import { memo, useSyncExternalStore } from 'react';
import type { Markdown } from './markdown.js';
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

function subscribe(listener: () => void): () => void {
  preloadMarkdown();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const RichText = memo(({ text, isGrowing = false }: { text: string; isGrowing?: boolean }) => {
  const Rendered = useSyncExternalStore(subscribe, () => loaded);
  return (
    <div className="rich">
      {Rendered ? <Rendered text={text} isGrowing={isGrowing} /> : <p className="plain">{text}</p>}
    </div>
  );
});

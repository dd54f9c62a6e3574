/** The colours of code, loaded when there is code for the first time; without them code is as readable as any text. */
import { useSyncExternalStore } from 'react';
import type { Options } from 'react-markdown';

type Plugin = NonNullable<Options['rehypePlugins']>[number];

let plugin: Plugin | null = null;
let isAsked = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function load(): Promise<void> {
  plugin = (await import('rehype-highlight')).default;
  for (const listener of listeners) listener();
}

/** The plugin that colours code, as soon as it is there; null before, and where there is no code to colour. */
export function useHighlighting(hasCode: boolean): Plugin | null {
  if (hasCode && !isAsked) {
    isAsked = true;
    load().catch(() => {
      isAsked = false;
    });
  }
  const found = useSyncExternalStore(subscribe, () => plugin);
  return hasCode ? found : null;
}

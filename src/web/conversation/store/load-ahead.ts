/**
 * The conversation that the address names, asked for while it is still unknown who asks: both answers come at once, and the
 * page opens a round trip earlier.
 */
import { type Load, loadEnd } from './conversation-loads.js';

let ahead: { id: string; load: Load } | null = null;

/** Asks now for the end of the conversation, which the first to open it takes. */
export function loadAhead(path: string): void {
  const id = /^\/threads\/([^/]+)\/?$/.exec(path)?.[1];
  if (id) ahead = { id, load: loadEnd(id) };
}

/** The end of the conversation: what was asked for ahead, where that was answered, else asked for now. */
export async function openEnd(id: string): Load {
  const early = ahead?.id === id ? await ahead.load : null;
  ahead = null;
  return early?.ok ? early : loadEnd(id);
}

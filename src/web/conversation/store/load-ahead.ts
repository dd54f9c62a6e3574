/**
 * Loads the conversation that the address names before it is known who is signed in, which saves a round trip when the page
 * opens.
 */
import { type Load, loadEnd } from './conversation-loads.js';

let ahead: { id: string; load: Load } | null = null;

/** Starts loading the end of the conversation for the first component that opens it. */
export function loadAhead(path: string): void {
  const id = /^\/threads\/([^/]+)\/?$/.exec(path)?.[1];
  if (id) ahead = { id, load: loadEnd(id) };
}

/** The end of the conversation: the response of the early request if it succeeded, else a new request. */
export async function openEnd(id: string): Load {
  const early = ahead?.id === id ? await ahead.load : null;
  ahead = null;
  return early?.ok ? early : loadEnd(id);
}

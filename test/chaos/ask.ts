/** One request to a node that is up, as far as the client knows. */
import { StreamCutError } from '../support/clients/graphql-client.js';

export interface Asking {
  token: string;
  urls: () => string[];
  random: () => number;
  /** Whether nodes of the release before this one may answer that something unexpected happened. */
  forgivesErrors?: boolean;
}

const limitMs = 20_000;

/**
 * The answer of a node chosen by chance; undefined where none came. Its body, too, must come within the limit. Throws where the
 * node answers 500: whatever breaks around it, it knows what to tell its caller.
 */
export async function ask(
  { urls, token, random, forgivesErrors = false }: Asking,
  path: string,
  init: { method?: string; headers?: Record<string, string>; body?: string },
  prefix = '/api/v1',
): Promise<Response | undefined> {
  const nodes = urls();
  const url = nodes[Math.floor(random() * nodes.length)];
  if (!url) return undefined;
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  try {
    const reply = await fetch(`${url}${prefix}${path}`, { ...init, headers, signal: AbortSignal.timeout(limitMs) });
    if (reply.status === 500 && !forgivesErrors) throw new Error(`${path} → 500 ${await reply.text()}`);
    return reply;
  } catch (error) {
    if (isLost(error)) return undefined;
    throw error;
  }
}

/** Whether the connection broke or was silent for too long, so that a client would retry. */
export function isLost(error: unknown): boolean {
  if (error instanceof StreamCutError) return true;
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
}

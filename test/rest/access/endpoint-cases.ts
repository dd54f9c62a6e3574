/** The nine endpoints as the specification has them, by hand: the tests must not take them from the code under test. */
import type { Scope } from '../../../src/contract.js';
import type { AnsweredMessage } from '../messages/answered-message.js';

export interface EndpointCase {
  method: 'GET' | 'POST';
  /** As in the specification. */
  path: string;
  scope: Scope;
  /** The status of a success. */
  success: number;
  /** A body that is accepted. */
  body?: object;
  /** Which message `{message-id}` must be. */
  message?: 'questionId' | 'answerId';
}

const thread = '/threads/{thread-id}';
const message = `${thread}/messages/{message-id}`;

export const endpointCases: readonly EndpointCase[] = [
  { method: 'GET', path: '/me', scope: 'me:read', success: 200 },
  { method: 'GET', path: '/threads', scope: 'threads:read', success: 200 },
  { method: 'POST', path: '/threads', scope: 'threads:write', success: 201, body: { text: 'Hi' } },
  { method: 'GET', path: thread, scope: 'threads:read', success: 200 },
  { method: 'GET', path: `${thread}/messages`, scope: 'threads:read', success: 200 },
  { method: 'POST', path: `${thread}/messages`, scope: 'threads:write', success: 201, body: { text: 'Hi' } },
  {
    method: 'POST',
    path: `${message}/feedback`,
    scope: 'feedback:write',
    success: 204,
    body: { positive: true },
    message: 'answerId',
  },
  { method: 'GET', path: `${message}/response`, scope: 'threads:read', success: 200, message: 'questionId' },
  { method: 'GET', path: `${message}/response/stream`, scope: 'threads:read', success: 200, message: 'questionId' },
];

/** Both prefixes, which serve the same. */
export const prefixes = ['/api/v1', '/api/v1-alpha0'] as const;

/** The path of an endpoint for a thread; with an answer's id where the endpoint is about answers. */
export function pathFor({ path, message: which = 'questionId' }: EndpointCase, target: AnsweredMessage): string {
  return path.replace('{thread-id}', target.threadId).replace('{message-id}', target[which]);
}

/** How the endpoint is asked with `fetch`. */
export function initFor({ method, body }: EndpointCase): RequestInit {
  return body ? { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : { method };
}

/** Name for the title of a test. */
export function nameOf({ method, path }: EndpointCase): string {
  return `${method} ${path}`;
}

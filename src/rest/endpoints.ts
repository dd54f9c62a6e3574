/** All endpoints, in the order of the specification. */
import { createThread } from './endpoints/create-thread.js';
import { getMe } from './endpoints/get-me.js';
import { getThread } from './endpoints/get-thread.js';
import { listMessages } from './endpoints/list-messages.js';
import { listThreads } from './endpoints/list-threads.js';
import { pollResponse } from './endpoints/poll-response.js';
import { rateMessage } from './endpoints/rate-message.js';
import { sendMessage } from './endpoints/send-message.js';
import { streamResponse } from './endpoints/stream-response.js';

export const endpoints = [
  getMe,
  listThreads,
  createThread,
  getThread,
  listMessages,
  sendMessage,
  rateMessage,
  pollResponse,
  streamResponse,
] as const;

/** Both prefixes serve the same interface; ids and cursors of one work in the other (specification, Versioning). */
export const prefixes = ['/api/v1', '/api/v1-alpha0'] as const;
export type VersionPrefix = (typeof prefixes)[number];

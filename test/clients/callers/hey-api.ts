import type { RestProblemCode } from '../../../src/http/problems/codes.js';
import type { Access, Client, Outcome, RequiredKeys, Same } from '../client.js';
import { createClient } from '../generated/hey-api/client/index.js';
import * as api from '../generated/hey-api/index.js';

export const types: [Same<api.Problem['code'], RestProblemCode>, Same<RequiredKeys<api.NewThread>, 'text'>] = [
  true,
  true,
];

export function connect({ baseUrl, token }: Access): Client {
  const client = createClient({ baseUrl, auth: token });
  const pathOf = (threadId: string, messageId: string) => ({ 'thread-id': threadId, 'message-id': messageId });
  return {
    async role() {
      const { data } = await api.getMe({ client, throwOnError: true });
      return data.role;
    },

    async createThread(text, key) {
      const headers = key === undefined ? {} : { 'Idempotency-Key': key };
      return outcomeOf(await api.createThread({ client, headers, body: { text } }));
    },

    async listThreads(query) {
      return outcomeOf(await api.listThreads({ client, query }));
    },

    async getThread(threadId) {
      return outcomeOf(await api.getThread({ client, path: { 'thread-id': threadId } }));
    },

    async transcript(threadId) {
      const { data } = await api.listMessages({ client, path: { 'thread-id': threadId }, throwOnError: true });
      return data.data.map(({ role, contents }) => `${role}: ${contents.map(textOf).join('')}`);
    },

    async sendMessage(threadId, text) {
      return outcomeOf(await api.sendMessage({ client, path: { 'thread-id': threadId }, body: { text } }));
    },

    async rateMessage(threadId, messageId, positive) {
      const { error } = await api.rateMessage({ client, path: pathOf(threadId, messageId), body: { positive } });
      return error ? { problem: error } : { data: 'rated' };
    },

    async poll(threadId, messageId) {
      const { data, error } = await api.pollResponse({ client, path: pathOf(threadId, messageId) });
      if (error) return { problem: error };
      return { data: data.status === 'complete' ? data.messages.map(({ id }) => id) : data.status };
    },

    async *tokens(threadId, messageId) {
      // Without a limit, the generated client tries again for ever, also what is refused.
      const options = { client, path: pathOf(threadId, messageId), sseMaxRetryAttempts: 1 };
      const { stream } = await api.streamResponse(options);
      for await (const event of stream) {
        if (event?.token !== undefined) yield event.token;
        if (event?.message !== undefined) throw new Error(event.message);
      }
    },
  };
}

function outcomeOf<Data>(
  result: { data: Data; error: undefined } | { data: undefined; error: api.Problem },
): Outcome<Data> {
  return result.error ? { problem: result.error } : { data: result.data };
}

function textOf(block: api.ContentBlock): string {
  return block.type === 'text' ? block.text : `[${block.type}]`;
}

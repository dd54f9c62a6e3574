import { EventSourceParserStream } from 'eventsource-parser/stream';
import createClient from 'openapi-fetch';
import type { RestProblemCode } from '../../../src/http/problems/codes.js';
import type { Access, Client, Outcome } from '../client.js';
import type { components, paths } from '../generated/openapi-typescript.js';

type Schemas = components['schemas'];

/** True where two types are the same, not only assignable to one another. */
type Same<One, Other> =
  (<Any>() => Any extends One ? 1 : 2) extends <Any>() => Any extends Other ? 1 : 2 ? true : false;

/** The names of the properties that must be given. */
type RequiredKeys<Shape> = {
  [Key in keyof Shape]-?: object extends Pick<Shape, Key> ? never : Key;
}[keyof Shape];

export const types: [
  Same<Schemas['Problem']['code'], RestProblemCode>,
  Same<RequiredKeys<Schemas['NewThread']>, 'text'>,
] = [true, true];

export function connect({ baseUrl, token }: Access): Client {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  return {
    async role() {
      const { data, error } = await client.GET('/me');
      if (error) throw new Error(error.detail);
      return data.role;
    },

    async createThread(text, key) {
      const header = key === undefined ? {} : { 'Idempotency-Key': key };
      return outcomeOf(await client.POST('/threads', { params: { header }, body: { text } }));
    },

    async listThreads(query) {
      return outcomeOf(await client.GET('/threads', { params: { query } }));
    },

    async getThread(threadId) {
      return outcomeOf(await client.GET('/threads/{thread-id}', { params: { path: { 'thread-id': threadId } } }));
    },

    async transcript(threadId) {
      const params = { path: { 'thread-id': threadId } };
      const { data, error } = await client.GET('/threads/{thread-id}/messages', { params });
      if (error) throw new Error(error.detail);
      return data.data.map(({ role, contents }) => `${role}: ${contents.map(textOf).join('')}`);
    },

    async sendMessage(threadId, text) {
      const params = { path: { 'thread-id': threadId } };
      return outcomeOf(await client.POST('/threads/{thread-id}/messages', { params, body: { text } }));
    },

    async rateMessage(threadId, messageId, positive) {
      const params = { path: { 'thread-id': threadId, 'message-id': messageId } };
      const path = '/threads/{thread-id}/messages/{message-id}/feedback';
      const { error } = await client.POST(path, { params, body: { positive } });
      return error ? { problem: error } : { data: 'rated' };
    },

    async poll(threadId, messageId) {
      const params = { path: { 'thread-id': threadId, 'message-id': messageId } };
      const { data, error } = await client.GET('/threads/{thread-id}/messages/{message-id}/response', { params });
      if (error) return { problem: error };
      return { data: data.status === 'complete' ? data.messages.map(({ id }) => id) : data.status };
    },

    async *tokens(threadId, messageId) {
      const params = { path: { 'thread-id': threadId, 'message-id': messageId } };
      const path = '/threads/{thread-id}/messages/{message-id}/response/stream';
      const { data: body, error } = await client.GET(path, { params, parseAs: 'stream' });
      if (error) throw new Error(error.detail);
      const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()) ?? [];
      for await (const { data } of events) {
        const event: Schemas['ResponseEventData'] = JSON.parse(data);
        if (event.token !== undefined) yield event.token;
        if (event.message !== undefined) throw new Error(event.message);
      }
    },
  };
}

function outcomeOf<Data>(
  result: { data: Data; error?: never } | { data?: never; error: Schemas['Problem'] },
): Outcome<Data> {
  return result.error ? { problem: result.error } : { data: result.data };
}

function textOf(block: Schemas['ContentBlock']): string {
  return block.type === 'text' ? block.text : `[${block.type}]`;
}

import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { RestProblemCode } from '../../../src/http/problems/codes.js';
import type { Access, Client, RequiredKeys, Same } from '../client.js';
import * as api from '../generated/orval.js';
import { open, setBaseUrl } from './orval-fetch.js';

export const types: [Same<api.Problem['code'], RestProblemCode>, Same<RequiredKeys<api.NewThread>, 'text'>] = [
  true,
  true,
];

export function connect({ baseUrl, token }: Access): Client {
  setBaseUrl(baseUrl);
  const headers = { authorization: `Bearer ${token}` };
  return {
    async role() {
      const { status, data } = await api.getMe({ headers });
      if (status !== 200) throw new Error(data.detail);
      return data.role;
    },

    async createThread(text, key) {
      const idempotency = key === undefined ? {} : { 'Idempotency-Key': key };
      const { status, data } = await api.createThread({ text }, { headers: { ...headers, ...idempotency } });
      return status === 201 ? { data } : { problem: data };
    },

    async listThreads(filters) {
      const { status, data } = await api.listThreads(filters, { headers });
      return status === 200 ? { data } : { problem: data };
    },

    async getThread(threadId) {
      const { status, data } = await api.getThread(threadId, { headers });
      return status === 200 ? { data } : { problem: data };
    },

    async transcript(threadId) {
      const { status, data } = await api.listMessages(threadId, {}, { headers });
      if (status !== 200) throw new Error(data.detail);
      return data.data.map(({ role, contents }) => `${role}: ${contents.map(textOf).join('')}`);
    },

    async sendMessage(threadId, text) {
      const { status, data } = await api.sendMessage(threadId, { text }, { headers });
      return status === 201 ? { data } : { problem: data };
    },

    async rateMessage(threadId, messageId, positive) {
      const { status, data } = await api.rateMessage(threadId, messageId, { positive }, { headers });
      return status === 204 ? { data: 'rated' } : { problem: data };
    },

    async poll(threadId, messageId) {
      const { status, data } = await api.pollResponse(threadId, messageId, { headers });
      if (status === 202) return { data: data.status };
      return status === 200 ? { data: data.messages.map(({ id }) => id) } : { problem: data };
    },

    async *tokens(threadId, messageId) {
      // Orval's functions read an answer to its end, so a stream is opened by its generated address.
      const { body } = await open(api.getStreamResponseUrl(threadId, messageId), { headers });
      const events = body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()) ?? [];
      for await (const { data } of events) {
        const event: api.ResponseEventData = JSON.parse(data);
        if (event.token !== undefined) yield event.token;
        if (event.message !== undefined) throw new Error(event.message);
      }
    },
  };
}

function textOf(block: api.ContentBlock): string {
  return block.type === 'text' ? block.text : `[${block.type}]`;
}

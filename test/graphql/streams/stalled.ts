/** Viewers on connections of their own, which may be left unread, and answers that are longer than any connection holds. */
import { connect, type Socket } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { LogReader } from '../../../src/modules/tokens/log/log-reader.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { type ModelStep, text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';

/** How often the subscription below asks for each text. */
const repeats = 5;

/** A subscription that asks for each text several times over. */
export function repeatedly({ messageId }: Pick<Sent, 'messageId'>): string {
  const aliases = Array.from({ length: repeats }, (_, n) => `a${n}: token`).join(' ');
  return `subscription { responseEvents(messageId: "${messageId}") { ... on ResponseToken { ${aliases} } } }`;
}

export type Transport = 'REST' | 'GraphQL';

/** The stream of a response, on a connection that is read or not as the caller likes. */
export function connectTo({ token }: Person, url: string, sent: Sent, transport: Transport = 'GraphQL'): Socket {
  const body = JSON.stringify({ query: repeatedly(sent) });
  const path = `/api/v1/threads/${sent.threadId}/messages/${sent.messageId}/response/stream`;
  const headers = `HTTP/1.1\r\nhost: skein.test\r\nauthorization: Bearer ${token}\r\naccept: text/event-stream\r\n`;
  const type = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(transport === 'REST' ? `GET ${path} ${headers}\r\n` : `POST /graphql ${headers}${type}\r\n${body}`);
  return socket;
}

/** How many characters a long answer has. Each takes six bytes in JSON. */
export const longLength = 1_000_000;

/** How many bytes of a stream each character of the answer becomes, and how many may be made ahead for a viewer. */
export const streams = {
  REST: { bytesPerCharacter: 6, ahead: 2 ** 19 },
  GraphQL: { bytesPerCharacter: 6 * repeats, ahead: 2 ** 21 },
};

export function longAnswer(): ModelStep[] {
  return Array.from({ length: 100 }, () => text('\u0001'.repeat(longLength / 100)));
}

/** How many characters readers have taken from the log of tokens from now on. */
export function charactersFromNow(): () => number {
  const next = vi.spyOn(LogReader.prototype, 'next');
  onTestFinished(() => next.mockRestore());
  return () => next.mock.results.reduce((sum, { value }) => sum + (value?.text.length ?? 0), 0);
}

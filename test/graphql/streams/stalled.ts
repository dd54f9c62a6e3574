/** Subscribers on connections of their own, which may be left unread, and answers that are longer than any connection holds. */
import { connect, type Socket } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { LogReader } from '../../../src/modules/tokens/log/log-reader.js';
import type { Sent } from '../../support/clients/rest-client.js';
import { type ModelStep, text } from '../../support/model/model-script.js';
import type { Person } from '../../support/service.js';

/** How often the subscription below asks for each text. */
export const repeats = 30;

/** A subscription that asks for each text thirty times over. */
export function repeatedly({ messageId }: Pick<Sent, 'messageId'>): string {
  const aliases = Array.from({ length: repeats }, (_, n) => `a${n}: token`).join(' ');
  return `subscription { responseEvents(messageId: "${messageId}") { ... on ResponseToken { ${aliases} } } }`;
}

/** That subscription, on a connection that is read or not as the caller likes. */
export function connectTo(ada: Person, url: string, sent: Sent): Socket {
  const body = JSON.stringify({ query: repeatedly(sent) });
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: skein.test\r\nauthorization: Bearer ${ada.token}\r\naccept: text/event-stream\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return socket;
}

/** A response of about 900 KB, so 27 MB for the subscription above. */
export function longAnswer(): ModelStep[] {
  return Array.from({ length: 90 }, (_, n) => text(String(n % 10).repeat(10_000)));
}

/** How many characters readers have taken from the log of tokens from now on. */
export function charactersFromNow(): () => number {
  const next = vi.spyOn(LogReader.prototype, 'next');
  onTestFinished(() => next.mockRestore());
  return () => next.mock.results.reduce((sum, { value }) => sum + (value?.text.length ?? 0), 0);
}

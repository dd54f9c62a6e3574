/**
 * The two promises about time: of sends at the same moment one is accepted, and after `done` the next one always is.
 * SEND_RACES=100 races a hundred times, and sends a thousand times after `done`.
 */
import { describe, expect } from 'vitest';
import { caseCount, isStress } from '../../support/case-counts.js';
import type { RestClient, RestReply, Sent } from '../../support/clients/rest-client.js';
import { it } from '../../support/fixtures/service.js';
import { gate, type ModelScript, text, wait } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';

const races = caseCount('SEND_RACES', { usual: 2, full: 100 });

type SendReply = RestReply<{ message_id: string }>;

function send(rest: RestClient, threadId: string): Promise<SendReply> {
  return rest.post<{ message_id: string }>(`/threads/${threadId}/messages`, { text: 'Go' });
}

function tally(replies: readonly SendReply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Sends twenty at once while the model is held, so that the thread cannot become ready in between. */
async function race(service: TestService, { rest }: Person, threadId: string): Promise<SendReply[]> {
  const hold = gate();
  service.model.enqueue([wait(hold.passed), text('Ok')]);
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(rest, threadId)));
  hold.open();
  const accepted = replies.find((reply) => reply.status === 201);
  if (accepted) await rest.streamToEnd({ threadId, messageId: accepted.body.message_id });
  return replies;
}

describe('twenty sends to one thread at the same moment', () => {
  it(`give one 201 and nineteen 409, ${races} times in a row`, async ({ service, database, ada }) => {
    const { threadId } = await ada.rest.readyThread({ text: 'Hi' });
    for (let round = 1; round <= races; round += 1) {
      expect(tally(await race(service, ada, threadId)), `round ${round}`).toEqual({ 201: 1, 409: 19 });
    }
    expect(await database.message.count({ where: { threadId, role: 'user' } })).toBe(races + 1);
    expect(await database.message.count({ where: { threadId, role: 'assistant' } })).toBe(races + 1);
    expect(await database.response.count({ where: { threadId, status: 'succeeded' } })).toBe(races + 1);
  }, 180_000);
});

/** Sends in the very moment in which `done` arrives; the stream is read to its end besides. */
async function sendAtDone(rest: RestClient, sent: Sent, onToken: () => void): Promise<SendReply> {
  let reply: Promise<SendReply> | undefined;
  for await (const { event } of await rest.stream(sent)) {
    if (event === 'token') onToken();
    if (event === 'done') reply = send(rest, sent.threadId);
  }
  if (!reply) throw new Error(`The stream of ${sent.messageId} ended without done`);
  return reply;
}

describe('a send right after done', () => {
  const lanes = isStress ? 8 : 4;
  const threadsPerLane = Math.ceil(races / 20);
  const sendsPerThread = Math.min(25, 4 * races);
  const sends = lanes * threadsPerLane * sendsPerThread;

  it(`is accepted, ${sends} times in a row, of responses that are watched live`, async ({ service, ada }) => {
    const gates = new Map<string, () => void>();
    // The model continues when the viewer has the first token, so that each `done` comes over a stream that was waiting.
    service.model.respond(({ body }): ModelScript => {
      const hold = gate();
      gates.set(String(body.messages.find((message) => message.role === 'user')?.content), hold.open);
      return [text('Hel'), wait(hold.passed), text('lo')];
    });
    const statuses: number[] = [];
    const talk = async (name: string) => {
      let sent = await ada.rest.createThread({ text: name });
      for (let round = 1; round <= sendsPerThread; round += 1) {
        const { status, body } = await sendAtDone(ada.rest, sent, () => gates.get(name)?.());
        expect(status, `${name}, round ${round}: ${JSON.stringify(body)}`).toBe(201);
        statuses.push(status);
        sent = { threadId: sent.threadId, messageId: body.message_id };
      }
    };
    const walkLane = async (lane: number) => {
      for (let thread = 1; thread <= threadsPerLane; thread += 1) await talk(`Thread ${thread} of lane ${lane}`);
    };
    await Promise.all(Array.from({ length: lanes }, (_, lane) => walkLane(lane + 1)));
    expect(statuses).toHaveLength(sends);
  }, 180_000);
});

/**
 * Threads in each state that a client can meet, brought there the way it happens. Only `interrupted`, which REST cannot
 * cause, is set in the database, on a thread that no worker has taken.
 */

import type { RestClient, Sent } from '../../support/clients/rest-client.js';
import { gate, httpError, text, wait } from '../../support/model/model-script.js';
import type { TestService } from '../../support/service.js';

export interface Stage {
  service: TestService;
  rest: RestClient;
}

export interface NewThread {
  text: string;
  name?: string | null;
  is_private?: boolean;
}

/** A message whose response has begun with "Hel" and continues with "lo" once `finish` is called. */
export interface ActiveResponse extends Sent {
  finish: () => void;
}

/** Waits for the threads of a service to be ready again. */
export async function settled({ service, rest }: Stage): Promise<void> {
  const busy = await service.database.response.findMany({ where: { status: { in: ['queued', 'running'] } } });
  for (const { threadId, messageId } of busy) await rest.streamToEnd({ threadId, messageId });
}

/** A new thread in `active`. */
export function activeThread(stage: Stage, body: NewThread = { text: 'Hi' }): Promise<ActiveResponse> {
  return activeResponse(stage, () => stage.rest.createThread(body));
}

/** An existing thread in `active`, because of a further message. */
export function activeAgain(stage: Stage, threadId: string): Promise<ActiveResponse> {
  return activeResponse(stage, () => stage.rest.send(threadId, 'And now?'));
}

async function activeResponse({ service, rest }: Stage, post: () => Promise<Sent>): Promise<ActiveResponse> {
  const hold = gate();
  service.model.enqueue([text('Hel'), wait(hold.passed), text('lo')]);
  const sent = await post();
  await firstToken(rest, sent);
  return { ...sent, finish: hold.open };
}

/** Waits until the response has begun. */
async function firstToken(rest: RestClient, sent: Sent): Promise<void> {
  const events = await rest.stream(sent);
  const { value } = await events.next();
  if (value?.event !== 'token') throw new Error(`The response began with ${JSON.stringify(value)}`);
  await events.return(undefined);
}

/** A thread whose response failed permanently; with `said`, after the model had sent that text. */
export async function failedThread(
  { service, rest }: Stage,
  { said, ...body }: NewThread & { said?: string } = { text: 'Hi' },
): Promise<Sent> {
  const refusal = httpError(400, { message: 'No.', type: 'invalid_request_error' });
  const filtered = { do: 'finish', reason: 'content_filter' } as const;
  service.model.enqueue(said === undefined ? [refusal] : [text(said), filtered]);
  const sent = await rest.createThread(body);
  const last = (await rest.streamToEnd(sent)).at(-1);
  if (last?.event !== 'error') throw new Error(`The response should have failed, but ended with ${last?.event}`);
  return sent;
}

/** A thread whose response was stopped. Only for a service without a worker. */
export async function interruptedThread({ service, rest }: Stage, body: NewThread = { text: 'Hi' }): Promise<Sent> {
  const sent = await rest.createThread(body);
  await service.database.$executeRaw`
    WITH response AS (
      UPDATE response SET status = 'interrupted', finished_at = clock_timestamp(), error_message = 'Ada stopped it.'
      WHERE message_id = ${sent.messageId})
    UPDATE thread SET state = 'interrupted', queued_at = NULL WHERE id = ${sent.threadId}`;
  return sent;
}

/** The events of a response as they happen: one subscription for live, late and returning subscribers alike. */

import { builder } from '../../../builder.js';
import { NotFoundError, UnavailableError } from '../../../errors.js';
import { isId } from '../../../ids.js';
import { onAbort } from '../../../platform/async/cancellable-stream.js';
import { runInTurn } from '../../../platform/fairness/run-in-turn.js';
import { Positioned } from '../../positioned.js';
import { parsePosition } from '../../tokens/log/position.js';
import type { TokenLog } from '../../tokens/log/token-log.js';
import { type FirstRead, followResponse } from './follow-response.js';
import { type ReadResponseOptions, readResponse, type VisibleResponse } from './read-response.js';
import type { ResponseEvent } from './response-event.js';

type EventOf<Type extends ResponseEvent['type']> = Extract<ResponseEvent, { type: Type }>;

const cursorDescription = 'Position after this event, to resume with `after`. The REST stream sends it as `id:`.';

const TokenEvent = builder.objectRef<EventOf<'token'>>('ResponseToken').implement({
  description: 'The next piece of text.',
  interfaces: [Positioned],
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: cursorDescription }),
    token: t.exposeString('text', { description: 'The text. The tokens of a response, concatenated, are its text.' }),
  }),
});

const ThinkingEvent = builder.objectRef<EventOf<'thinking'>>('ResponseThinking').implement({
  description: "The next piece of the model's reasoning before its answer. `Message.reasoning` has it afterwards.",
  interfaces: [Positioned],
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: cursorDescription }),
    text: t.exposeString('text', { description: 'The text.' }),
  }),
});

const statusValues = {
  QUEUED: { value: 'queued', description: 'Waiting for a worker.' },
  RUNNING: { value: 'running', description: 'It is being generated.' },
  SUCCEEDED: { value: 'succeeded', description: 'It is complete.' },
  FAILED: { value: 'failed', description: 'It failed.' },
  INTERRUPTED: { value: 'interrupted', description: 'It was stopped.' },
} as const;

const StatusEvent = builder.objectRef<EventOf<'status'>>('ResponseStatus').implement({
  description: 'The status of the response. Always the first event, unless all events were received already.',
  interfaces: [Positioned],
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: cursorDescription }),
    status: t.expose('status', {
      type: builder.enumType('ResponseStatusValue', { description: 'The status of a response.', values: statusValues }),
      description: 'The status.',
    }),
  }),
});

const RestartedEvent = builder.objectRef<EventOf<'restarted'>>('ResponseRestarted').implement({
  description:
    'The attempt was lost and a new one starts. Discard the text received so far: the following events carry the whole response.',
  interfaces: [Positioned],
  fields: (t) => ({ cursor: t.exposeString('cursor', { description: cursorDescription }) }),
});

const RetryingEvent = builder.objectRef<EventOf<'retrying'>>('ResponseRetrying').implement({
  description:
    'A call of the model failed, and the model is called once more after a pause; where several models may answer, all of them. Show it until the next event. The text received so far stays valid, unless `ResponseRestarted` follows.',
  interfaces: [Positioned],
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: cursorDescription }),
    call: t.exposeInt('call', { description: 'Number of the coming call; 2 for the first that is repeated.' }),
    maxCalls: t.exposeInt('maxCalls', { description: 'Maximum number of calls, after which the response fails.' }),
    code: t.exposeString('code', { description: 'Stable code of why the last call failed, for programs.' }),
    message: t.exposeString('message', { description: 'Why the last call failed, for people.' }),
  }),
});

const ErrorEvent = builder.objectRef<EventOf<'error'>>('ResponseError').implement({
  description: 'The response failed or was interrupted. No event follows.',
  interfaces: [Positioned],
  fields: (t) => ({
    cursor: t.exposeString('cursor', { description: cursorDescription }),
    code: t.exposeString('code', { description: 'Stable code of the cause, for programs.' }),
    message: t.exposeString('message', { description: 'What happened, for people.' }),
  }),
});

const DoneEvent = builder.objectRef<EventOf<'done'>>('ResponseDone').implement({
  description: 'The response is complete and the thread is `READY` again. No event follows.',
  interfaces: [Positioned],
  fields: (t) => ({ cursor: t.exposeString('cursor', { description: cursorDescription }) }),
});

const typeNames = {
  token: 'ResponseToken',
  thinking: 'ResponseThinking',
  status: 'ResponseStatus',
  restarted: 'ResponseRestarted',
  retrying: 'ResponseRetrying',
  error: 'ResponseError',
  done: 'ResponseDone',
} as const satisfies Record<ResponseEvent['type'], string>;

const ResponseEventType = builder.unionType('ResponseEvent', {
  description: 'One event of a response.',
  types: [TokenEvent, ThinkingEvent, StatusEvent, RestartedEvent, RetryingEvent, ErrorEvent, DoneEvent],
  resolveType: (event: ResponseEvent) => typeNames[event.type],
});

/**
 * Reads the row while a reader of the log is attached, so that the stream misses no change since. Null without a row. Throws an
 * `UnavailableError` if the process is stopping.
 */
async function readFirst(
  log: TokenLog,
  responseId: string,
  read: () => Promise<VisibleResponse | null>,
): Promise<(FirstRead & { row: VisibleResponse }) | null> {
  if (log.closed) throw new UnavailableError();
  const reader = log.attach(responseId);
  try {
    const { revision } = reader;
    const row = await read();
    if (row) return { reader, revision, row };
  } catch (error) {
    reader.close();
    throw error;
  }
  reader.close();
  return null;
}

/** What the row has of a response that begins, if its viewer has just sent the message. */
function beginningOf(
  log: TokenLog,
  { viewer, threadId, messageId }: Omit<ReadResponseOptions, 'withText'>,
): VisibleResponse | null {
  const beginning = log.beginningFor(viewer.userId, messageId);
  if (!beginning || (threadId !== null && threadId !== beginning.threadId)) return null;
  return { ...beginning, status: 'running', text: '', error: null, retry: null };
}

builder.subscriptionField('responseEvents', (t) =>
  t.field({
    type: ResponseEventType,
    description:
      'The events of the response to a user message, from the beginning or after a cursor. The last event is `ResponseDone` or `ResponseError`. If the stream ends without one of these, the connection was lost: subscribe again with the cursor of the last event received, and no event is lost or repeated. After the cursor of the last event the stream is empty: the response was received completely. In no other case does an empty stream mean that.',
    authScopes: { scope: 'threads:read' },
    args: {
      messageId: t.arg.id({ required: true, description: 'Id of the user message.' }),
      threadId: t.arg.id({ description: 'Id of the thread. If given, the message must belong to it.' }),
      after: t.arg.string({ description: 'Cursor of the last event received.' }),
      thinking: t.arg.boolean({ description: "Whether to include the model's reasoning. Default: true." }),
    },
    subscribe: async (_root, { messageId, threadId, after, thinking }, context) => {
      const { database, viewer, tokenLog, openAccess, signal } = context;
      const which = { viewer, threadId: threadId ?? null, messageId };
      // Feeds follow what has a reader, so nobody may name just anything.
      if (!isId('msg', messageId)) throw new NotFoundError('response');
      const first = await readFirst(
        tokenLog,
        messageId,
        async () =>
          beginningOf(tokenLog, which) ?? readResponse(database, { ...which, withText: true, isBeginning: true }),
      );
      if (!first) throw new NotFoundError('response');
      return followResponse({
        responseId: messageId,
        after: parsePosition(after),
        thinking: thinking ?? true,
        log: tokenLog,
        first,
        read: ({ withText }) => runInTurn(context, () => readResponse(database, { ...which, withText })),
        endings: [onAbort(signal), openAccess.endOf({ viewer, threadId: first.row.threadId })],
      });
    },
    resolve: (event) => event,
  }),
);

/**
 * Reads the first event of the subscription before it chooses the status. The first event arrives immediately, and REST omits
 * it, because it is the status of the response. There is none if the caller has received everything: then the status is 204,
 * which stops an EventSource from reconnecting.
 */
import { operation } from '../../graphql/gateway/operation.js';
import { endpoint } from '../endpoint.js';
import { streamText } from '../openapi/examples.js';
import { presentResponseEvent, responseEventFragment } from '../presenters/response-event.js';
import { cursorText } from '../schemas.js';
import { SseStream } from '../sse.js';

const ResponseEvents = operation(`
  subscription ResponseEvents($threadId: ID!, $messageId: ID!, $after: String) {
    responseEvents(threadId: $threadId, messageId: $messageId, after: $after, thinking: false) { ...ResponseEvent }
  }
  ${responseEventFragment}`);

const events = `Any number of \`token\` events, then one \`error\` or \`done\` event. Then the stream closes.

\`\`\`
${streamText.trimEnd()}
\`\`\``;

export const streamResponse = endpoint({
  method: 'GET',
  path: '/threads/{thread-id}/messages/{message-id}/response/stream',
  operationId: 'streamResponse',
  summary: 'Streams the response to a user message as server-sent events.',
  description: 'To resume, send the header `Last-Event-ID`. A complete response can be streamed at any time.',
  operation: ResponseEvents,
  resumable: true,
  query: {
    last_event_id: {
      ...cursorText,
      description:
        'Replaces the header `Last-Event-ID` for clients that cannot set it. The spellings of EventSource polyfills, such as ' +
        '`lastEventId`, are accepted as well.',
    },
  },
  responses: {
    200: { description: events, schema: 'ResponseEventData', contentType: 'text/event-stream' },
    204: { description: '`Last-Event-ID` is the id of the last event of the stream. No event follows.' },
  },
  problems: {
    404: { description: 'The message has no response or is not visible.', codes: ['not_found'] },
  },
  async handle(session, { path, query, lastEventId }) {
    const where = { threadId: path['thread-id'], messageId: path['message-id'] };
    const after = lastEventId ?? query.last_event_id;
    const source = await session.subscribe(ResponseEvents, { ...where, after });
    const first = await source.next();
    if (!first.done) {
      return {
        status: 200,
        stream: (options) => new SseStream(source, (data) => presentResponseEvent(data.responseEvents), options),
      };
    }
    await source.return?.();
    return { status: 204 };
  },
});

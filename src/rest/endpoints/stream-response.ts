/**
 * The stream opens before its status is chosen: the first event of the subscription comes at once, and says by its absence
 * that the caller has everything already (204, which keeps an EventSource from coming back for ever).
 */
import { operation } from '../../graphql/gateway.js';
import { endpoint } from '../endpoint.js';
import { streamText } from '../openapi/examples.js';
import { responseEventFragment } from '../presenters/response-event.js';
import { RestEvents } from '../rest-events.js';
import { storableText } from '../schemas.js';

interface Query {
  last_event_id?: string;
}

const ResponseEvents = operation(`
  subscription ResponseEvents($threadId: ID!, $messageId: ID!, $after: String) {
    responseEvents(threadId: $threadId, messageId: $messageId, after: $after, thinking: false) { ...ResponseEvent }
  }
  ${responseEventFragment}`);

const events = `Any number of \`token\` events, then one \`error\` or \`done\`, then the stream closes.

\`\`\`
${streamText.trimEnd()}
\`\`\``;

export const streamResponse = endpoint<Query>({
  method: 'GET',
  path: '/threads/{thread-id}/messages/{message-id}/response/stream',
  operationId: 'streamResponse',
  summary: 'Streams the response to a user message as server-sent events.',
  description: 'Resume with the header `Last-Event-ID`. A finished response is replayed, at any time.',
  operation: ResponseEvents,
  resumable: true,
  query: {
    last_event_id: {
      ...storableText,
      maxLength: 500,
      description: 'The same as the header `Last-Event-ID`, for clients that cannot set it.',
    },
  },
  responses: {
    200: { description: events, schema: 'ResponseEventData', contentType: 'text/event-stream' },
    204: { description: '`Last-Event-ID` names the last event: there is nothing more to come.' },
  },
  problems: {
    404: { description: 'No response exists for the message, or it is not visible.', codes: ['not_found'] },
  },
  async handle(session, { path, query, lastEventId }) {
    const where = { threadId: path['thread-id'], messageId: path['message-id'] };
    const after = lastEventId ?? query.last_event_id;
    const source = await session.subscribe(ResponseEvents, { ...where, after });
    const first = await source.next();
    if (first.done) return { status: 204 };
    return { status: 200, events: new RestEvents(source, first.value.responseEvents) };
  },
});

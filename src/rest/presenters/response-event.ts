import type { DataOf } from '../../graphql/document-types/document-types.js';
import type { SseEvent } from '../sse.js';

export const responseEventFragment = /* GraphQL */ `
  fragment ResponseEvent on ResponseEvent {
    __typename
    ... on ResponseStatus { status }
    ... on ResponseToken { cursor token }
    ... on ResponseThinking { cursor }
    ... on ResponseRestarted { cursor }
    ... on ResponseRetrying { cursor }
    ... on ResponseError { cursor message }
    ... on ResponseDone { cursor }
  }
`;

export type ResponseEventData = DataOf<typeof responseEventFragment>;

const restarted = 'The text so far is void, and the response starts over. Drop that text and open the stream again.';

/**
 * Converts an event to the specification's (Events); null for events that REST omits: thinking and status (rule 2), and repeated
 * calls of the model, which belong to the status.
 */
export function presentResponseEvent(event: ResponseEventData): SseEvent | null {
  switch (event.__typename) {
    case 'ResponseStatus':
    case 'ResponseThinking':
    case 'ResponseRetrying':
      return null;
    case 'ResponseToken':
      return { event: 'token', data: { token: event.token }, id: event.cursor };
    case 'ResponseRestarted':
      return { event: 'error', data: { message: restarted }, id: event.cursor };
    case 'ResponseError':
      return { event: 'error', data: { message: event.message }, id: event.cursor };
    case 'ResponseDone':
      return { event: 'done', data: {}, id: event.cursor };
    default:
      return unknownEvent(event);
  }
}

function unknownEvent(event: never): never {
  throw new Error(`An event has no form in REST: ${JSON.stringify(event)}`);
}

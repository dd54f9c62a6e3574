/**
 * Follows a stream of events across lost connections, without gap or repeat. It has no dependencies: copy it. Each event has a
 * `cursor`, its place in the stream; a stream opened with `after` continues right after that place, on any node and at any
 * later time. So a client only has to remember the cursor of the last event.
 */

/** The service has refused the request, and a retry would be refused too. */
export class RefusedError extends Error {
  /** `code` is the stable name of the reason: decide by it, never by the message. */
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'RefusedError';
  }
}

export interface Stream<Event> {
  /** Opens the stream behind a cursor; at its beginning, where there is none yet. */
  open: (after: string | null) => AsyncIterable<Event>;
  /** True for an event that none follows. A stream may end without one, where its server goes: then it is opened again. */
  isLast: (event: Event) => boolean;
  /** Where to begin: the cursor of the last event that you have from an earlier run. */
  after?: string | null;
}

const maxTries = 10;
const firstDelayMs = 100;
const longestDelayMs = 10_000;

/** The events in order, each once. Throws `RefusedError`, and the last failure when ten tries in a row give no event. */
export async function* resume<Event extends { cursor?: string }>(
  stream: Stream<Event>,
): AsyncGenerator<Event, void, void> {
  let { after = null } = stream;
  let failure: unknown;
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      for await (const event of stream.open(after)) {
        // An event of a type that this program does not know yet has no cursor, and must not lose the place.
        after = event.cursor ?? after;
        tries = 0;
        yield event;
        if (stream.isLast(event)) return;
      }
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      failure = error;
    }
    await pause(Math.min(firstDelayMs * 2 ** tries, longestDelayMs));
  }
  throw new Error('The stream cannot be reached.', { cause: failure });
}

/** Somewhere between half the time and all of it, so that clients who lost the same server do not come back as one. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random() / 2)));
}

/** The errors of a GraphQL result as one that tells `resume` whether to come back. */
export function failureOf(errors: readonly { message: string; extensions?: Record<string, unknown> }[]): Error {
  const { message, extensions } = errors[0] ?? { message: 'The service gave no reason.' };
  const code = String(extensions?.['code'] ?? 'UNKNOWN');
  return code === 'UNAVAILABLE' || code === 'INTERNAL_SERVER_ERROR'
    ? new Error(message)
    : new RefusedError(code, message);
}

/** The same for a failure of the transport: with an HTTP status of 400 to 499 it is the service's own no, but for 408 and 429. */
export function failureOfTransport(error: unknown): unknown {
  const response = error instanceof Error && 'response' in error ? error.response : undefined;
  if (!(response instanceof Response)) return error;
  const { status } = response;
  const isRefusal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return isRefusal ? new RefusedError(`HTTP_${status}`, `The service answers ${status}.`) : error;
}

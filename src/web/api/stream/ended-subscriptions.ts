/**
 * What the page keeps of a subscription that has ended: next to nothing. graphql-sse (2.6) holds the sink and the controller of each
 * one for as long as its client lives, and with them every conversation that was shown, if these did not let go of them.
 */
import type { Sink } from 'graphql-sse';

/** Hands on to `receiver`, and forgets it with the error or the completion that ends the subscription. */
export function releasedSink<T>(receiver: Sink<T>): Sink<T> {
  let held: Sink<T> | null = receiver;
  const release = () => {
    const last = held;
    held = null;
    return last;
  };
  return {
    next: (value) => held?.next(value),
    error: (error) => release()?.error(error),
    complete: () => release()?.complete(),
  };
}

const ended = AbortSignal.abort();

/** The reason of any other would hold the functions that have called `abort`, for its stack. */
export class SubscriptionController extends AbortController {
  override abort(): void {
    super.abort(ended.reason);
  }
}

/**
 * The answer that is being streamed. Tokens arrive faster than anyone can see, so they are batched and shown once per frame
 * at most, and less often when rendering is slow, which keeps scrolling and typing responsive. Only the component that shows
 * the answer subscribes to it.
 */
import { type ResponseEvent, responseEventsSubscription } from '../../api/conversation-documents.js';
import { follow } from '../../api/live.js';
import type { ResponseOutcome } from '../../api/types.js';
import { Store } from '../../ui/state/store.js';

/** The share of time that rendering the answer may take. */
const shareOfTime = 1 / 4;

type Retry = Pick<Extract<ResponseEvent, { __typename: 'ResponseRetrying' }>, 'call' | 'maxCalls' | 'message'>;

export interface LiveAnswerState {
  status: 'QUEUED' | 'RUNNING' | 'ENDED';
  text: string;
  thinking: string;
  /** Whether text that was shown became void, because another attempt replaced it. */
  isRestarted: boolean;
  /** That the model failed and is called once more. */
  retry: Retry | null;
  /** The reason if the answer failed or was interrupted. */
  failure: ResponseOutcome | null;
}

const unbegun: LiveAnswerState = {
  status: 'QUEUED',
  text: '',
  thinking: '',
  isRestarted: false,
  retry: null,
  failure: null,
};

export class LiveAnswer extends Store<LiveAnswerState> {
  #next = unbegun;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The earliest time of the next rendering. */
  #restUntilMs = 0;
  #after: string | null = null;
  #stop: (() => void) | undefined;

  constructor(
    readonly messageId: string,
    private readonly onEnd: () => void,
  ) {
    super(unbegun);
    this.resume();
  }

  /** Follows the answer from where it was left. */
  resume(): void {
    if (this.#stop || this.#next.status === 'ENDED') return;
    this.#stop = follow({
      document: responseEventsSubscription,
      variables: { messageId: this.messageId, after: this.#after },
      cursorOf: ({ responseEvents }) => responseEvents.cursor,
      next: ({ responseEvents }) => {
        this.#after = responseEvents.cursor;
        this.#receive(responseEvents);
      },
      refused: () => this.onEnd(),
    });
  }

  /** Stops following but keeps the text. */
  pause(): void {
    this.#unfollow();
    this.#show();
  }

  close(): void {
    this.#unfollow();
    this.#cancel();
  }

  #unfollow(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #receive(event: ResponseEvent): void {
    const { text, thinking } = this.#next;
    if (event.__typename === 'ResponseToken') {
      this.#change({ status: 'RUNNING', retry: null, text: text + event.token });
    } else if (event.__typename === 'ResponseThinking') {
      this.#change({ status: 'RUNNING', retry: null, thinking: thinking + event.text });
    } else if (event.__typename === 'ResponseRestarted') {
      this.#change({ retry: null, text: '', thinking: '', isRestarted: true });
    } else if (event.__typename === 'ResponseRetrying') this.#change({ retry: event });
    else if (event.__typename === 'ResponseStatus') {
      if (event.status === 'QUEUED' || event.status === 'RUNNING') this.#change({ status: event.status });
    } else if (event.__typename === 'ResponseDone') this.#end(null);
    else if (event.__typename === 'ResponseError') {
      const __typename = event.code === 'response_interrupted' ? 'ResponseInterrupted' : 'ResponseFailed';
      this.#end({ __typename, message: event.message });
    }
  }

  /** Shows the end of the answer without waiting for a frame. */
  #end(failure: ResponseOutcome | null): void {
    this.#change({ status: 'ENDED', retry: null, failure });
    this.#unfollow();
    this.#show();
    this.onEnd();
  }

  #change(change: Partial<LiveAnswerState>): void {
    this.#next = { ...this.#next, ...change };
    if (this.#frame || this.#timer !== undefined) return;
    const restMs = this.#restUntilMs - performance.now();
    if (restMs <= 0) this.#requestFrame();
    else this.#timer = setTimeout(() => this.#requestFrame(), restMs);
  }

  /** A hidden page gets no frames. Its first frame shows everything. */
  #requestFrame(): void {
    this.#timer = undefined;
    this.#frame = requestAnimationFrame(() => this.#show());
  }

  #show(): void {
    this.#cancel();
    const startMs = performance.now();
    this.set(this.#next);
    // React renders the change in a microtask that runs before this one.
    queueMicrotask(() => {
      this.#restUntilMs = startMs + (performance.now() - startMs) / shareOfTime;
    });
  }

  #cancel(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#frame = 0;
    this.#timer = undefined;
  }
}

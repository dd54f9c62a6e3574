import type { ExecutionResult } from 'graphql';

/** Counts the bytes of each event. */
export interface EventBudget {
  reset(): void;
  settle(event: ExecutionResult): Promise<ExecutionResult>;
  giveBack(): void;
}

/**
 * Wraps the events of a subscription. An event counts until the next one is requested, which means that it was sent.
 */
export class CountedEvents implements AsyncIterableIterator<ExecutionResult> {
  readonly #events: AsyncIterator<ExecutionResult>;

  constructor(
    source: AsyncIterable<ExecutionResult>,
    private readonly answer: EventBudget,
  ) {
    this.#events = source[Symbol.asyncIterator]();
  }

  async next(): Promise<IteratorResult<ExecutionResult>> {
    this.answer.reset();
    const event = await this.#events.next();
    return event.done ? event : { done: false, value: await this.answer.settle(event.value) };
  }

  async return(): Promise<IteratorResult<ExecutionResult>> {
    this.answer.giveBack();
    await this.#events.return?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

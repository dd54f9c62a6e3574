/** Anything that pushes values, as observables do, for a `for await` loop. Leaving the loop unsubscribes. */
interface Pushing<Value> {
  subscribe(sink: { next(value: Value): void; error(error: unknown): void; complete(): void }): { unsubscribe(): void };
}

/** The values in order, to the end; throws what the source fails with. */
export async function* iterate<Value>(source: Pushing<Value>): AsyncGenerator<Value, void, void> {
  let subscription: { unsubscribe(): void } | undefined;
  const stream = new ReadableStream<Value>({
    start: (controller) => {
      subscription = source.subscribe({
        next: (value) => controller.enqueue(value),
        error: (error) => controller.error(error),
        complete: () => controller.close(),
      });
    },
    cancel: () => subscription?.unsubscribe(),
  });
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

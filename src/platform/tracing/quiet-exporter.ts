/** Sends spans, and says once that it cannot and once that it can again: a collector that is away is nobody's request. */
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

export class QuietExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #logger: Logger;
  #isFailing = false;

  constructor(exporter: SpanExporter, logger: Logger) {
    this.#exporter = exporter;
    this.#logger = logger;
  }

  /** Reports success in any case: nobody above can do more than this logs. */
  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, ({ code, error }) => {
      this.#note(code === ExportResultCode.SUCCESS, error);
      done({ code: ExportResultCode.SUCCESS });
    });
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }

  #note(hasSucceeded: boolean, error: unknown): void {
    if (hasSucceeded !== this.#isFailing) return;
    this.#isFailing = !hasSucceeded;
    if (hasSucceeded) this.#logger.info('traces are exported again');
    else this.#logger.warn({ err: error }, 'traces cannot be exported and are lost until the collector answers');
  }
}

/**
 * What the service tells of its work to whoever collects traces, in terms that need no library. Spans are passed along
 * with the work, not found in the air: async hooks would cost every token of every response. Without tracing there is
 * no `Tracing`, and each place that would start a span checks for null.
 */

export type Attributes = Record<string, string | number | boolean | null | undefined>;

export interface SpanOptions {
  /** The relation to the other spans of the trace, as OpenTelemetry defines it. Default: `internal`. */
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  /** Those that are null or undefined are left out. None may hold a secret, or text that a user wrote. */
  attributes?: Attributes;
}

export interface SpanEnd {
  /** A better name than that at the start. Names are few: none contains what a caller chose. */
  name?: string;
  attributes?: Attributes;
  /** The kind of the failure, such as an error code; none if it is the caller's or did not happen. */
  error?: string | null | undefined;
}

export interface Span {
  readonly traceId: string;
  /** The value of the header that makes the work of another process a part of this span. */
  readonly traceparent: string;
  /** Starts a span within this one. It may end later. */
  child(name: string, options?: SpanOptions): Span;
  end(how?: SpanEnd): void;
}

export interface Tracing {
  /** Starts a span within the one that a `traceparent` names, or a trace if there is none or it is invalid. */
  start(name: string, options: SpanOptions & { traceparent: string | null | undefined }): Span;
  /** Exports what is left, for a short time. Never rejects. */
  end(): Promise<void>;
}

/** What is known of a request: its origin and quotas, kept for its response, and what its log line and metrics name. */
import type { IncomingMessage } from 'node:http';
import type { Span } from '../tracing/span.js';
import { callerAddress } from './caller-address.js';
import { type PolicyName, type Quota, quotaHeaders } from './quota.js';

export class RequestSource {
  readonly #quotas = new Map<PolicyName, Quota>();

  /** The id that the caller was told, and that the lines of the log name; null before the request has one. */
  id: string | null = null;
  /** The pattern of the route that serves the request, never its path; null if there is none. */
  route: string | null = null;
  /** The caller, once it is known. */
  viewer: { userId: string; organizationId: number } | null = null;
  /** The name of the GraphQL operation, as the caller chose it. */
  operation: string | null = null;
  /** The request's span; null if it is not traced. */
  span: Span | null = null;

  constructor(readonly address: string) {}

  /** A newer quota of a limit replaces the older one. */
  add(quota: Quota): void {
    this.#quotas.set(quota.policy.name, quota);
  }

  /** What a line of the log says to be found with the request's own line. */
  get logged(): { requestId: string | null; operation: string | null; traceId?: string } {
    return { requestId: this.id, operation: this.operation, ...(this.span && { traceId: this.span.traceId }) };
  }

  get headers(): Record<string, string> {
    return quotaHeaders([...this.#quotas.values()]);
  }
}

/** A property of the request: a weak map of all requests costs the collection of garbage as much as the rest of this. */
const known = Symbol('source');

/** The source of the request, the same for each call. */
export function sourceOf(request: IncomingMessage & { [known]?: RequestSource }): RequestSource {
  const forwarded = () => String(request.headers['x-forwarded-for'] ?? '');
  request[known] ??= new RequestSource(callerAddress(request.socket.remoteAddress, forwarded()));
  return request[known];
}

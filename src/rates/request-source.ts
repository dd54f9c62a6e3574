/** The origin of a request and its quotas, kept for its response. */
import type { IncomingMessage } from 'node:http';
import { callerAddress } from './caller-address.js';
import { type PolicyName, type Quota, quotaHeaders } from './quota.js';

export class RequestSource {
  readonly #quotas = new Map<PolicyName, Quota>();

  constructor(readonly address: string) {}

  /** A newer quota of a limit replaces the older one. */
  add(quota: Quota): void {
    this.#quotas.set(quota.policy.name, quota);
  }

  get headers(): Record<string, string> {
    return quotaHeaders([...this.#quotas.values()]);
  }
}

const sources = new WeakMap<IncomingMessage, RequestSource>();

/** The source of the request, the same for each call. */
export function sourceOf(request: IncomingMessage): RequestSource {
  const known = sources.get(request);
  if (known) return known;
  const forwarded = request.headers['x-forwarded-for'] ?? '';
  const source = new RequestSource(callerAddress(request.socket.remoteAddress, String(forwarded)));
  sources.set(request, source);
  return source;
}

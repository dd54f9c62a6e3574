/**
 * Rejects requests whose `Host` is missing, repeated or invalid (RFC 9112, 3.2), because a proxy and this service could
 * otherwise read different hosts. The same applies to other headers that must be unique: Node silently keeps the first
 * and drops the rest. A transfer coding that this service does not undo is rejected too, or the two would read different
 * bodies. The connection ends with the answer, because its next request cannot be trusted either.
 */
import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Middleware } from 'koa';
import { invalidRequest, type Problem, ProblemError } from './problems/problems.js';
import type { RequestFault } from './problems/request-fault.js';

const single: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type', 'last-event-id']);

/** Mount it within the error boundary. */
export function checkHead(): Middleware {
  return async (ctx, next) => {
    const problem = problemOf(ctx.req);
    if (problem) {
      ctx.set('Connection', 'close');
      throw new ProblemError(problem);
    }
    await next();
  };
}

function problemOf(request: IncomingMessage): Problem | null {
  // Where chunked is not the last, Node finds no end of the body, and answers 400 itself.
  if (/,\s*chunked$/i.test(request.headers['transfer-encoding'] ?? '')) return unknownCoding;
  const fault = faultOf(request);
  return fault && invalidRequest([fault]);
}

const unknownCoding: Problem = {
  status: 501,
  code: 'not_implemented',
  title: 'Not implemented',
  detail: 'The only supported transfer coding is chunked. Send the body without any other.',
};

function faultOf({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): RequestFault | null {
  const seen = new Set<string>();
  // Names and values take turns.
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place]?.toLowerCase() ?? '';
    if (!single.has(name)) continue;
    if (seen.has(name)) return { parameter: name, message: 'must be given once' };
    seen.add(name);
  }
  if (host === undefined ? httpVersion === '1.0' : isHost(host)) return null;
  return { parameter: 'host', message: 'must be the host, and the port if there is one, of the address that is asked' };
}

/** Whether the text is a name, an IPv4 address or an IPv6 address in brackets, with an optional port. */
function isHost(text: string): boolean {
  const [, ip, name, port] = /^(?:\[([^\]]*)\]|([\w.-]+))(?::(\d*))?$/.exec(text) ?? [];
  return (ip === undefined ? name !== undefined : isIPv6(ip)) && Number(port ?? 0) <= 65_535;
}

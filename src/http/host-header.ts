/**
 * Refuses a request whose `Host` is missing, given twice or no host (RFC 9112, 3.2): where a proxy and this service read
 * different hosts out of one request, one of them is deceived. The same goes for other headers of which there can be one
 * only: Node keeps the first of several and drops the rest without a word.
 */
import { isIPv6 } from 'node:net';
import type { Middleware } from 'koa';
import { invalidRequest, ProblemError } from './problems/problems.js';

const single = ['host', 'authorization', 'content-type', 'last-event-id'];

/** To be mounted inside of the error boundary. */
export function checkHead(): Middleware {
  return async (ctx, next) => {
    const { headersDistinct, httpVersion } = ctx.req;
    for (const name of single) {
      if ((headersDistinct[name]?.length ?? 0) > 1) throw refused(name, 'must be given once');
    }
    const [host] = headersDistinct['host'] ?? [];
    if (host === undefined ? httpVersion !== '1.0' : !isHost(host)) {
      throw refused('host', 'must be the host, and the port if there is one, of the address that is asked');
    }
    await next();
  };
}

/** A name, an IPv4 address or an IPv6 address in brackets, and a port if there is one. */
function isHost(text: string): boolean {
  const [, ip, name, port] = /^(?:\[([^\]]*)\]|([\w.-]+))(?::(\d*))?$/.exec(text) ?? [];
  return (ip === undefined ? name !== undefined : isIPv6(ip)) && Number(port ?? 0) <= 65_535;
}

function refused(parameter: string, message: string): ProblemError {
  return new ProblemError(invalidRequest([{ parameter, message }]));
}

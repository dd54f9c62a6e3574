/**
 * Renders problems for requests that no handler sees: invalid HTTP, headers that are too large or too slow, unsupported
 * expectations, and versions and transfer codings that Node passes on without supporting them. The connection is closed
 * after the response.
 */
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Problem, problemBody } from '../../http/problems/problems.js';

/** Responds to errors of the HTTP parser. */
export function answerProtocolErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: HttpSocket) => {
    // Another response may be partly sent; this one would be read as a part of it.
    if (socket.writable && socket._httpMessage?.headersSent !== true) socket.write(render(problemOf(error.code)));
    socket.destroy(error);
  });
  server.on('checkExpectation', (_request, response) => send(response, unmetExpectation));
}

/**
 * Rejects bodies with unknown transfer codings. If a coding is not undone, this service reads another request than a
 * proxy in front of it.
 */
export function refuseUnknownFraming(handler: RequestListener): RequestListener {
  return (request, response) => {
    const problem = problemOfFraming(request);
    if (problem) send(response, problem);
    else handler(request, response);
  };
}

function problemOfFraming({ httpVersionMajor, headers }: IncomingMessage): Problem | null {
  if (httpVersionMajor !== 1) return unknownVersion;
  // Where chunked is not the last, Node finds no end of the body, and refuses it with 400.
  return /,\s*chunked$/i.test(headers['transfer-encoding'] ?? '') ? unknownCoding : null;
}

function send(response: ServerResponse, problem: Problem): void {
  const { head, body } = partsOf(problem);
  response.writeHead(problem.status, head).end(body);
}

/** Node keeps the answer that is being sent on its connection there. */
type HttpSocket = Duplex & { _httpMessage?: ServerResponse | null };

function problemOf(code = ''): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return tooLargeHead;
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow;
  return malformed;
}

function render(problem: Problem): string {
  const { head, body } = partsOf(problem);
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`;
}

function partsOf(problem: Problem): { head: Record<string, string>; body: string } {
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(problem, requestId));
  const head = {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  return { head, body };
}

const malformed: Problem = {
  status: 400,
  code: 'invalid_request',
  title: 'Invalid request',
  detail: 'The request is not valid HTTP/1.1.',
};

const tooLargeHead: Problem = {
  status: 431,
  code: 'header_fields_too_large',
  title: 'Request header fields too large',
  detail: 'The URL and headers of a request must not exceed 16 KiB together. Send less, for example fewer cookies.',
};

const tooSlow: Problem = {
  status: 408,
  code: 'request_timeout',
  title: 'Request timeout',
  detail: 'The request did not arrive in time. Send it again.',
};

const unmetExpectation: Problem = {
  status: 417,
  code: 'expectation_failed',
  title: 'Expectation failed',
  detail: 'The only supported expectation is 100-continue. Send the request without the header "Expect".',
};

const unknownVersion: Problem = {
  status: 505,
  code: 'http_version_not_supported',
  title: 'HTTP version not supported',
  detail: 'Send the request as HTTP/1.1.',
};

const unknownCoding: Problem = {
  status: 501,
  code: 'not_implemented',
  title: 'Not implemented',
  detail: 'The only supported transfer coding is chunked. Send the body without any other.',
};

/** How the attacks are sent, on every way to run an operation, and the errors of their answers. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Person, TestService } from '../../support/service.js';
import type { Attack } from './attack-cases.js';

interface Answer {
  status: number;
  body: string;
}

export const ways = [
  { name: '/graphql', path: '/graphql', accept: 'application/graphql-response+json' },
  { name: '/graphql as a stream', path: '/graphql', accept: 'text/event-stream' },
  { name: '/graphql/stream', path: '/graphql/stream', accept: 'text/event-stream' },
] as const;
type Way = (typeof ways)[number];

/** Gives what sends it over a connection of its own, as attackers do. What is refused early is not sent to its end. */
export function sender(
  service: TestService,
  ada: Person,
  { path, accept }: Way,
  { body, type = 'application/json' }: Attack,
): () => Promise<Answer> {
  const bytes = Buffer.from(body);
  const headers = {
    authorization: `Bearer ${ada.token}`,
    accept,
    'content-type': type,
    'content-length': bytes.length,
  };
  return () =>
    new Promise((resolve, reject) => {
      const outgoing = request(`${service.url}${path}`, { method: 'POST', headers, agent: false }, (response) => {
        text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
      });
      outgoing.on('error', reject);
      if (bytes.length < 300_000) outgoing.end(bytes);
      else outgoing.write(bytes.subarray(0, 10_000));
    });
}

interface Failure {
  message: string;
  extensions: Record<string, unknown>;
}

/** The errors of an answer, whatever form it has. */
export function failuresOf({ body }: Answer): Failure[] {
  const data = /^data: ?(\{.*\})$/m.exec(body)?.[1] ?? body;
  const { errors = [] } = JSON.parse(data) as { errors?: Failure[] };
  return errors;
}

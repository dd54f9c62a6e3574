/** What a user is refused because others need room too. */
import { DomainError } from '../errors.js';

/** The body of a request came so slowly that it would have held a place of the service for too long. */
export class SlowBodyError extends DomainError {
  constructor() {
    super('REQUEST_TIMEOUT', 'The body of the request came too slowly. Send it again, over a faster connection.', {
      // What the client still sends is not read, so the connection cannot be used again.
      http: { status: 408, headers: { connection: 'close' } },
    });
  }
}

/** Too much of this user is under way at the same time. */
export class BusyError extends DomainError {
  constructor(what: string) {
    super('LIMIT_EXCEEDED', `${what} Wait until some of it has ended, then try again.`, {
      limit: 'concurrency',
      http: { status: 429, headers: { 'retry-after': '1' } },
    });
  }
}

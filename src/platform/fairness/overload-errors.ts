/** Errors for callers who would take more than their share, or whose turn does not come. */
import { DomainError, UnavailableError } from '../../errors.js';

/** The body of a request arrived too slowly, and would have occupied a place for too long. */
export class SlowBodyError extends DomainError {
  constructor() {
    super('REQUEST_TIMEOUT', 'The body of the request came too slowly. Send it again, over a faster connection.', {
      // Closes the connection, because the rest of the body is not read.
      http: { status: 408, headers: { connection: 'close' } },
    });
  }
}

/** Too many concurrent operations of this user. */
export class BusyError extends DomainError {
  constructor(what: string) {
    super('LIMIT_EXCEEDED', `${what} Wait until some of it has ended, then try again.`, {
      limit: 'concurrency',
      http: { status: 429, headers: { 'retry-after': '1' } },
    });
  }
}

/** The turn did not come, because whatever the requests before wait for does not answer. */
export function noTurnError(): Error {
  return new UnavailableError();
}

/** What a resolver may ask of the turn that its operation holds. */
export interface Turn {
  /** Lets others have the turn during a wait that uses no database connection. */
  suspend<T>(wait: () => Promise<T>): Promise<T>;
  /** Extends the turn until the work has settled, even if the caller gets its response earlier. */
  lastsUntil(work: Promise<unknown>): void;
  /** Lets no further statement begin: each fails with `reason`. */
  refuse(reason: Error): void;
}

/** For streams and requests that are no operations, which need no turn. */
export const noopPermit: Turn = { suspend: (wait) => wait(), lastsUntil: () => undefined, refuse: () => undefined };

/** What an operator or a test may change about GraphQL. The limits that no setting moves are in `limit-exceeded.ts`. */

/** How many streams may be open at once, over all transports, and for how long each. */
export interface StreamSettings {
  /** Of one user, whatever tokens they use: a backend may serve all of its own users with one. */
  perUser: number;
  /** Of all users of one organization together. */
  perOrganization: number;
  perProcess: number;
  /** After that a stream ends without its last event, and its client resumes. */
  maxLifeMs: number;
}

export interface GraphqlSettings {
  /** True: whoever has a token may ask for the schema. */
  introspection: boolean;
  /** True: browsers get a page for trying operations at `/graphql`. */
  graphiql: boolean;
  /** By their ids: then no other operation runs. Null: any may run. */
  trustedDocuments: ReadonlyMap<string, string> | null;
  streams: StreamSettings;
  /** How long an operation may run. A mutation gets more, since ending it in the middle helps nobody. */
  executionMs: { query: number; mutation: number };
  /** How long a large answer waits for room among the others. */
  answerWaitMs: number;
  /** How long a subscriber may take nothing of what is sent before its connection is closed. */
  stallMs: number;
  /** How long a reserved stream waits for its connection. */
  reservationMs: number;
}

export const defaultGraphqlSettings: GraphqlSettings = {
  introspection: true,
  graphiql: false,
  trustedDocuments: null,
  streams: { perUser: 1000, perOrganization: 5000, perProcess: 5000, maxLifeMs: 15 * 60_000 },
  executionMs: { query: 10_000, mutation: 60_000 },
  answerWaitMs: 5_000,
  stallMs: 60_000,
  reservationMs: 30_000,
};

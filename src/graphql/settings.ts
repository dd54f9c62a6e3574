/** Configurable settings of GraphQL. Fixed limits are in `limit-exceeded.ts`. */

/** Limits on open streams of all transports, and on their duration. */
export interface StreamSettings {
  /** Per user, over all their tokens: a backend may serve all of its own users with one token. */
  perUser: number;
  /** Per organization. */
  perOrganization: number;
  perProcess: number;
  /** After this time a stream ends without its last event, and its client resumes. */
  maxLifeMs: number;
}

export interface GraphqlSettings {
  /** Whether introspection is available to callers with a token. */
  introspection: boolean;
  /** Whether `/graphql` serves GraphiQL to browsers. */
  graphiql: boolean;
  /** The only documents that are executed, by id; null: any document. */
  trustedDocuments: ReadonlyMap<string, string> | null;
  streams: StreamSettings;
  /** Timeouts of operations. Mutations get more, since it is better to let them finish. */
  executionMs: { query: number; mutation: number };
  /** How long a subscriber may read nothing before its connection is closed. */
  stallMs: number;
  /** How long a reserved stream waits for its connection. */
  reservationMs: number;
  /** What the tokens of reserved streams begin with: tells which of several processes behind a port has the stream. */
  streamTokenPrefix: string;
}

export const defaultGraphqlSettings: GraphqlSettings = {
  introspection: true,
  graphiql: false,
  trustedDocuments: null,
  streams: { perUser: 1000, perOrganization: 5000, perProcess: 5000, maxLifeMs: 15 * 60_000 },
  executionMs: { query: 10_000, mutation: 60_000 },
  stallMs: 60_000,
  reservationMs: 30_000,
  streamTokenPrefix: '',
};

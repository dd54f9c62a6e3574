import type { Config } from '../config.js';
import type { GraphqlSettings } from '../graphql/settings.js';
import type { ProcessSettings } from './settings.js';

/** The GraphQL settings of the configuration. */
export function graphqlOf(config: Config, { graphql }: ProcessSettings): Partial<GraphqlSettings> {
  const { introspection, graphiql, trustedDocuments } = config;
  const { streamsPerUser: perUser, streamsPerOrganization: perOrganization, streamsPerProcess: perProcess } = config;
  const streams = { perUser, perOrganization, perProcess, maxLifeMs: 15 * 60_000 };
  return { introspection, graphiql, trustedDocuments, streams, ...graphql };
}

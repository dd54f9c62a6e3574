/**
 * Trusted documents: where a list is given, only its operations run, on every endpoint of GraphQL. A client names one by
 * `extensions.persistedQuery.sha256Hash` or by `documentId`. REST has documents of its own, and is not affected. Without a
 * list the service keeps no documents, and tells a client that sends a hash in place of one to send the text.
 */
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { GraphQLError, parse, validate } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { schema } from './schema.js';

/** Only these run, by their ids. Throws where one does not fit the schema. */
export function trustedDocuments(documents: ReadonlyMap<string, string>): Plugin {
  for (const [id, text] of documents) check(id, text);
  return usePersistedOperations({
    getPersistedOperation: (id) => documents.get(id) ?? null,
    extractPersistedOperationId: idOf,
    customErrors: { notFound: untrusted, keyNotFound: untrusted, persistedQueryOnly: untrusted },
  }) as Plugin;
}

/**
 * For a service without a list. The message and the code are those on which Apollo's link and urql's exchange for persisted
 * queries send the text, at once and from then on.
 */
export function withoutPersistedQueries(): Plugin {
  return {
    onParams({ params }) {
      if (!params.query && idOf(params) !== null) throw notSupported();
    },
  };
}

function notSupported(): GraphQLError {
  return new GraphQLError('PersistedQueryNotSupported', {
    extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED', http: { status: 400, spec: true } },
  });
}

function idOf({ extensions, ...params }: GraphQLParams & { documentId?: unknown }): string | null {
  const hash: unknown = extensions?.['persistedQuery']?.sha256Hash ?? params.documentId;
  return typeof hash === 'string' ? hash : null;
}

/** `PersistedQueryNotFound` is what the usual clients look for. */
function untrusted(): GraphQLError {
  return new GraphQLError(
    'PersistedQueryNotFound: only trusted documents can be executed. Send the id of one, without a query.',
    {
      extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', http: { status: 400, spec: true } },
    },
  );
}

function check(id: string, text: string): void {
  try {
    const [problem] = validate(schema, parse(text));
    if (problem) throw problem;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`TRUSTED_DOCUMENTS: the document "${id}" is not valid for the schema: ${reason}`, { cause: error });
  }
}

/**
 * Trusted documents: with a list, only its documents are executed, on every GraphQL endpoint. Clients refer to one by
 * `extensions.persistedQuery.sha256Hash` or `documentId`. REST is not affected. Without a list no documents are stored,
 * and a client that sends only a hash is told to send the text.
 */
import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { GraphQLError, parse, validate } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { schema } from '../schema.js';

/** Executes only these documents. Throws if one is not valid for the schema. */
export function trustedDocuments(documents: ReadonlyMap<string, string>): Plugin {
  for (const [id, text] of documents) check(id, text);
  return usePersistedOperations({
    getPersistedOperation: (id) => documents.get(id) ?? null,
    extractPersistedOperationId: idOf,
    customErrors: { notFound: untrusted, keyNotFound: untrusted, persistedQueryOnly: untrusted },
  }) as Plugin;
}

/**
 * For a service without a list. This message and code make the persisted-query support of Apollo and urql send the text
 * from then on.
 */
export function withoutPersistedQueries(): Plugin {
  return {
    onParams({ params, request }) {
      if (!params.query && idOf(params, request) !== null) throw notSupported();
    },
  };
}

function notSupported(): GraphQLError {
  return new GraphQLError('PersistedQueryNotSupported', {
    extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED', http: { status: 400, spec: true } },
  });
}

/** The id in the body, or in the URL of a GET, of which Yoga reads only the parameters that it knows. */
function idOf(params: GraphQLParams & { documentId?: unknown }, { url }: Request): string | null {
  const id: unknown = params.extensions?.['persistedQuery']?.sha256Hash ?? params.documentId;
  return typeof id === 'string' ? id : new URL(url).searchParams.get('documentId');
}

/** Common clients look for `PersistedQueryNotFound`. */
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

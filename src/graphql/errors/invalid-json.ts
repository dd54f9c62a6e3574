/**
 * The error for invalid JSON in the body or a URL parameter. Yoga's own error repeats the whole body, which may be long
 * or confidential.
 */
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Replaces Yoga's error for invalid JSON. */
export function invalidJson(): Plugin {
  return {
    onRequestParse({ requestParser, setRequestParser }) {
      if (!requestParser) return;
      setRequestParser(async (request) => {
        try {
          return await requestParser(request);
        } catch (error) {
          throw isUnreadable(error) ? invalidJsonError() : error;
        }
      });
    },
  };
}

/** For bodies, Yoga puts the JSON parser's error into the extensions; for URLs it passes it on. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  return error instanceof GraphQLError && error.extensions['originalError'] !== undefined;
}

function invalidJsonError(): GraphQLError {
  const extensions = { code: 'BAD_REQUEST', http: { status: 400 } };
  return new GraphQLError('The body or a parameter of the URL is not valid JSON.', { extensions });
}

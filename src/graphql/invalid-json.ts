/**
 * What a caller is told whose body, or whose parameter of a URL, is no JSON. Yoga's own refusal repeats the whole body, which may be long and may hold what
 * nobody wants in a log of answers.
 */
import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Leaves the body out of the refusal of one that cannot be read. */
export function invalidJson(): Plugin {
  return {
    onRequestParse({ requestParser, setRequestParser }) {
      if (!requestParser) return;
      setRequestParser(async (request) => {
        try {
          return await requestParser(request);
        } catch (error) {
          throw isUnreadable(error) ? refusal() : error;
        }
      });
    },
  };
}

/** Yoga puts what the JSON parser threw, with the body in it, into the extensions; what it threw for a URL passes as it is. */
function isUnreadable(error: unknown): boolean {
  if (error instanceof SyntaxError) return true;
  return error instanceof GraphQLError && error.extensions['originalError'] !== undefined;
}

function refusal(): GraphQLError {
  const extensions = { code: 'BAD_REQUEST', http: { status: 400 } };
  return new GraphQLError('The body or a parameter of the URL is not valid JSON.', { extensions });
}

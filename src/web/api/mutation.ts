/** Mutations. Each has one field, called `outcome`, and yields what was done or why the service refused it. */
import type { ResultOf } from 'gql.tada';
import type { Fitting, Fragments, TypedDocument } from '../../graphql/document-types/document-types.js';
import { graphql, type Sendable, sendable } from './graphql.js';

export const refusalFields = graphql(`
  fragment RefusalFields on Error {
    code
    message
    ... on InvalidInputError {
      problems {
        field
        message
      }
    }
  }
`);

/** What is selected of a message that was sent. */
export const posted = '... on PostedMessage { threadId messageId }';

type Text<
  Head extends string,
  Field extends string,
  Done extends string,
> = `mutation ${Head} { outcome: ${Field} { __typename ${Done} ...RefusalFields } }`;

type Typed<MutationText extends string, Others extends Fragments> = TypedDocument<
  MutationText,
  [...Others, typeof refusalFields]
>;

/**
 * Declares a mutation by its name with the variables, its field with the arguments, and what is selected of what was done, with
 * the fragments that this uses.
 */
export function mutation<
  const Head extends string,
  const Field extends string,
  const Done extends string = '',
  const Others extends Fragments & readonly Sendable[] = [],
>(
  head: Head,
  field: Field,
  done?: Done & Fitting<ResultOf<Typed<Text<Head, Field, Done>, Others>>>,
  fragments?: Others,
): Omit<Typed<Text<Head, Field, Done>, Others>, 'kind' | 'definitions' | 'loc'> & Sendable;
export function mutation(head: string, field: string, done = '', fragments: readonly Sendable[] = []): Sendable {
  const text = `mutation ${head} { outcome: ${field} { __typename ${done} ...RefusalFields } }`;
  return sendable(text, [...fragments, refusalFields]);
}

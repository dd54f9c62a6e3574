/**
 * Declares a document by its text and the fragments that it uses. The types of its result and variables are inferred from the
 * text. The text is sent as it stands, so no parser of GraphQL is loaded.
 */
import type { ResultOf } from 'gql.tada';
import type { Fitting, Fragments, TypedDocument } from '../../graphql/document-types/document-types.js';

/** A document with the texts that it consists of: its own, and those of the fragments that it uses. */
export interface Sendable {
  readonly texts: ReadonlySet<string>;
}

/** A document whose result and variables are known. */
export type Document<Data, Variables> = Sendable & { readonly __apiType?: (variables: Variables) => Data };

/** A fragment brings the fragments that it uses, and a document may contain each only once. */
export function graphql<const Text extends string, const Others extends Fragments & readonly Sendable[] = []>(
  text: Text & Fitting<ResultOf<TypedDocument<Text, Others>>>,
  fragments?: Others,
): Omit<TypedDocument<Text, Others>, 'kind' | 'definitions' | 'loc'> & Sendable;
export function graphql(text: string, fragments?: readonly Sendable[]): Sendable {
  return sendable(text, fragments);
}

export function sendable(text: string, fragments: readonly Sendable[] = []): Sendable {
  return { texts: new Set([text, ...fragments.flatMap((fragment) => [...fragment.texts])]) };
}

/** The text of a document as the service takes it. */
export function textOf({ texts }: Sendable): string {
  return [...texts].join('\n');
}

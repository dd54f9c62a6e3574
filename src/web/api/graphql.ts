/**
 * Declares a document by its text and the fragments that it uses. The types of its result and variables are inferred from the
 * text.
 */
import type { ResultOf } from 'gql.tada';
import { gql, type TypedDocumentNode } from 'urql';
import type { Fitting, Fragments, TypedDocument } from '../../graphql/document-types/document-types.js';

export function graphql<const Text extends string, const Others extends Fragments = Fragments>(
  text: Text & Fitting<ResultOf<TypedDocument<Text, Others>>>,
  fragments?: Others,
): TypedDocument<Text, Others>;
export function graphql(text: string, fragments: readonly TypedDocumentNode[] = []): TypedDocumentNode {
  const { kind, definitions } = gql(text);
  // A fragment brings the fragments that it uses, and a document may contain each only once.
  const all = new Set([...definitions, ...fragments.flatMap((fragment) => fragment.definitions)]);
  return { kind, definitions: [...all] };
}

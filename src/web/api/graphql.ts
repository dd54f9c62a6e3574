/**
 * How a document of the application is written: its text, and the fragments that the text uses. What it yields and takes is
 * inferred from the text, so nobody writes it down a second time.
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
  // Fragments that use others carry these along, and each may stand in a document once.
  const all = new Set([...definitions, ...fragments.flatMap((fragment) => fragment.definitions)]);
  return { kind, definitions: [...all] };
}

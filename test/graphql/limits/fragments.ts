/** Fragments in chains, among them such that expand to more than anybody can visit. */
import { expect } from 'vitest';
import type { GraphQLClient, GraphQLFailure } from '../../support/clients/graphql-client.js';

/** `F0` to `F<links>` on `Thread`: each spreads the next one in the given way, and the last one holds `end`. */
export function chain(links: number, spread: (next: string) => string, end = 'id'): string {
  const fragments = Array.from({ length: links }, (_, n) => `fragment F${n} on Thread { ${spread(`...F${n + 1}`)} }`);
  return `${fragments.join(' ')} fragment F${links} on Thread { ${end} }`;
}

export const query = (selection: string, fragments: string) =>
  `query ($id: ID!) { thread(id: $id) { ${selection} } } ${fragments}`;

export async function refusalOf(
  graphql: GraphQLClient,
  threadId: string,
  text: string,
): Promise<GraphQLFailure['extensions']> {
  const { body } = await graphql.run({ query: text, variables: { id: threadId } });
  expect(body.data).toBeUndefined();
  return body.errors?.[0]?.extensions;
}

export const endless: [what: string, fragments: string][] = [
  ['a chain that doubles at each link', chain(60, (next) => `${next} ${next}`)],
  ['one whose links are eight times the next', chain(40, (next) => `${next} `.repeat(8))],
  ['one that doubles in inline fragments', chain(60, (next) => `... { ${next} } ... on Thread { ${next} }`)],
  ['one that doubles in fields', chain(9, (next) => `continuedFrom { ${`${next} `.repeat(20)} }`)],
];

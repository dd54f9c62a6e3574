/**
 * The types of a document's data and variables, inferred from its text and from `schema.graphql`. A document that selects a
 * field that the schema does not have is a type error where it is used, so a renamed field cannot be overlooked. Everything
 * here is a type: the compiler reads the documents, and nothing of it is loaded or bundled.
 */
import type { initGraphQLTada, ResultOf, VariablesOf } from 'gql.tada';
import type { introspection } from './generated/schema-types.js';

interface Setup {
  introspection: introspection;
  scalars: { DateTime: string };
  disableMasking: true;
}

declare const graphql: ReturnType<typeof initGraphQLTada<Setup>>;

/** Documents of fragments, as other documents take them. */
export type Fragments = NonNullable<Parameters<typeof graphql>[1]>;

/** Never called: its result is the only way to name the type that gql.tada infers from a text. */
function infer<const Text extends string, const Others extends Fragments>(text: Text, others: Others) {
  return graphql(text, others);
}

/** The typed document of a text and of the fragments that the text uses without defining them. */
export type TypedDocument<Text extends string, Others extends Fragments = Fragments> = ReturnType<
  typeof infer<Text, Others>
>;

/** What a document yields. Of a text that is put together while it runs, nothing is known. */
export type DataOf<Text extends string> = [TypedDocument<Text>] extends [never]
  ? unknown
  : ResultOf<TypedDocument<Text>>;

/** What a document takes. */
export type InputOf<Text extends string> = [TypedDocument<Text>] extends [never]
  ? Record<string, unknown>
  : Input<VariablesOf<TypedDocument<Text>>>;

/** What may be left out may be undefined as well: neither JSON nor the executor tells the two apart. */
export type Input<Value> = Value extends readonly (infer Item)[]
  ? readonly Input<Item>[]
  : Value extends object
    ? { [Key in keyof Value]: Input<Value[Key]> | (Record<never, never> extends Pick<Value, Key> ? undefined : never) }
    : Value;

/** The data of a document where errors are thrown: without one, no root field is null but `node`. */
export type Found<Data> = { [Field in keyof Data]: Field extends 'node' ? Data[Field] : NonNullable<Data[Field]> };

/** The paths of what a document selects and the schema does not have. */
export type UnknownFields<Data, Path extends string = ''> = unknown extends Data
  ? Path
  : Data extends readonly (infer Item)[]
    ? UnknownFields<Item, Path>
    : Data extends object
      ? { [Key in keyof Data & string]-?: UnknownFields<Data[Key], `${Path}/${Key}`> }[keyof Data & string]
      : never;

/** Takes any document that fits the schema; of others, the error names what the schema lacks. */
export type Fitting<Data> = unknown extends Data
  ? unknown
  : [UnknownFields<Data>] extends [never]
    ? unknown
    : { 'The schema has no such field': UnknownFields<Data> };

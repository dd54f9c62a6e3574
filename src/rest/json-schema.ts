/** A JSON schema as a plain object (draft 2020-12, as OpenAPI 3.1 has it). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A JSON schema as a plain object (draft 2020-12, as in OpenAPI 3.1). */
export type JsonSchema = { readonly [keyword: string]: unknown };

import type { FromSchema } from 'json-schema-to-ts';

/** A JSON schema as a plain object (draft 2020-12, as in OpenAPI 3.1). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** The type of the values that an object schema accepts, with the fields that it declares. */
export type ValueOf<Schema extends JsonSchema> = FromSchema<
  Schema & { additionalProperties: false },
  { keepDefaultedPropertiesOptional: true }
>;

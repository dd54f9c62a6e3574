/** Every document of the web application is valid for the schema that clients are given. */
import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema, Kind, parse, validate } from 'graphql';
import { expect, it } from 'vitest';
import { type Sendable, textOf } from '../../../src/web/api/graphql.js';

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));

const folder = new URL('../../../src/web/api/', import.meta.url);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('-documents.ts'),
);
const modules: Record<string, Sendable>[] = await Promise.all(files.map((name) => import(new URL(name, folder).href)));

/** Fragments are checked where they are used. */
const operations = modules
  .flatMap((module) => Object.entries(module))
  .map(([name, sendable]) => [name, parse(textOf(sendable))] as const)
  .filter(([, { definitions }]) => definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION));

it.each(operations)('the documents of the web application %s is valid for the schema', (_name, document) => {
  expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
});

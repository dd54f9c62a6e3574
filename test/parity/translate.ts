/**
 * What REST should say for a value of GraphQL, by the table of counterparts alone: enumerations in lower case, a missing item
 * of a page as null, variants by their type, everything else as it is. None of it is taken from the code under test.
 */
import { getNamedType, isEnumType, isObjectType } from 'graphql';
import { schema } from '../../src/graphql/schema.js';
import { type Counterpart, outputs } from './counterparts.js';
import { nameOf, objects, type Schema } from './rest-objects.js';

/** The object of REST by this name that a value of GraphQL amounts to. */
export function translate(name: string, value: unknown): Record<string, unknown> {
  const counterpart = outputs[name];
  if (!counterpart) throw new Error(`There is no counterpart of ${name}.`);
  const entries = Object.entries(counterpart.fields).map(([field, path]) => {
    const property = objects[name]?.properties?.[field] ?? {};
    if (path === '__typename') return [field, at(value, path) === counterpart.type ? property.const : undefined];
    return [field, present(property, at(value, path), isEnum(counterpart, path))];
  });
  return Object.fromEntries(entries);
}

function present(property: Schema, value: unknown, isLower: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => present(property.items ?? {}, item, isLower));
  const name = nameOf(property);
  if (name !== undefined) return translate(variantOf(name, value), value);
  return isLower && typeof value === 'string' ? value.toLowerCase() : value;
}

/** The block whose counterpart has the type of the value. */
function variantOf(name: string, value: unknown): string {
  if (name !== 'ContentBlock') return name;
  const type = at(value, '__typename');
  const found = Object.entries(outputs).find(([each, part]) => each.startsWith(name) && part.type === type);
  return found?.[0] ?? `${name} ${String(type)}`;
}

function isEnum({ type }: Counterpart, path: string): boolean {
  const object = schema.getType(type);
  const field = isObjectType(object) ? object.getFields()[path] : undefined;
  return field !== undefined && isEnumType(getNamedType(field.type));
}

/** The value at a path; through a list, all of them, its `first`, or its `last`. Nothing there: null. */
export function at(value: unknown, path: string): unknown {
  const [name = '', ...rest] = path.split('.');
  const below = (inner: unknown) => (rest.length === 0 ? inner : at(inner, rest.join('.')));
  if (Array.isArray(value)) {
    if (name === 'first') return below(value[0]);
    if (name === 'last') return below(value.at(-1));
    return value.map((item) => at(item, path));
  }
  if (typeof value !== 'object' || value === null) return null;
  return below((value as Record<string, unknown>)[name] ?? null);
}

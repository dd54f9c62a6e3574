import { describe, expect, it } from 'vitest';
import { restProblemCodes } from '../../../src/http/problems/codes.js';
import { openApiDocument } from '../../../src/rest/openapi.js';
import * as parity from '../../parity/problems.js';

interface Schema {
  type?: string | string[];
  const?: string;
  default?: unknown;
  pattern?: string;
  enum?: string[];
  $ref?: string;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

const document = openApiDocument({ prefix: '/api/v1', publicUrl: 'https://skein.test' }) as {
  components: { schemas: Record<string, Schema> };
};
const { schemas } = document.components;

/** Every object within, with its place. */
function within(value: unknown, place = '#'): [string, Schema][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([name, each]) => within(each, `${place}/${name}`));
  return [[place, value as Schema], ...inner];
}

describe('the schemas', () => {
  it('give no field of a body a default, which generators make required', () => {
    const bodies = ['NewThread', 'NewMessage', 'Feedback'].map((name) => schemas[name]);
    expect(within(bodies).filter(([, schema]) => 'default' in schema)).toEqual([]);
  });

  it('name a type beside every constant', () => {
    const constants = within(schemas).filter(([, schema]) => typeof schema.const === 'string');
    expect(constants).not.toHaveLength(0);
    for (const [place, { type }] of constants) expect([place, type]).toEqual([place, 'string']);
  });

  it('tell the named content blocks apart by their type', () => {
    const { oneOf, discriminator } = schemas['ContentBlock'] ?? {};
    const tags = Object.entries(discriminator?.mapping ?? {});
    expect([discriminator?.propertyName, oneOf?.map(({ $ref }) => $ref)]).toEqual(['type', tags.map(([, ref]) => ref)]);
    for (const [tag, ref] of tags) {
      expect(schemas[ref.split('/').at(-1) ?? '']?.properties?.['type']?.const).toBe(tag);
    }
  });

  it('have a list of codes that is exactly what REST can answer with', () => {
    const elsewhere = Object.keys(parity.unreachable).map((code) => code.toLowerCase());
    const all = { ...parity.problems, ...parity.members, ...parity.restOnly };
    const reachable = Object.keys(all).filter((code) => !elsewhere.includes(code) && code !== 'possible_forgery');
    expect([...restProblemCodes].sort()).toEqual(reachable.sort());
    expect(schemas['Problem']?.properties?.['code']?.enum).toEqual(restProblemCodes);
  });
});

describe('the patterns', () => {
  const patterns = within(document).flatMap(([place, { pattern }]) => (pattern ? [[place, pattern] as const] : []));

  it.each(patterns)('of %s refuse U+0000', (_place, pattern) => {
    const text = new RegExp(pattern, 'u');
    expect(['\u0000', 'a\u0000', '\u0000a', 'a\u0000b', ' \u0000'].filter((each) => text.test(each))).toEqual([]);
    expect(text.test('a b')).toBe(true);
  });

  it('of a message take everything else that is not blank', () => {
    const text = new RegExp(schemas['NewThread']?.properties?.['text']?.pattern ?? '', 'u');
    expect(['a', ' a ', '\n\ta', '🎉', '\u200b', 'é', 'a\n\n'].filter((each) => !text.test(each))).toEqual([]);
    expect(['', ' ', '\n\t ', '\u00a0'].filter((each) => text.test(each))).toEqual([]);
  });

  it('of a message take one pass over the longest text', () => {
    const text = new RegExp(schemas['NewThread']?.properties?.['text']?.pattern ?? '', 'u');
    // Matching that goes back needs ten billion steps for these, and would not end within the time of the test.
    for (const each of [' '.repeat(100_000), `${'a'.repeat(100_000)}\u0000`, `${'a '.repeat(50_000)}\u0000`]) {
      expect(text.test(each)).toBe(false);
    }
  });
});

/** `schema.graphql` passes the public lint rules for GraphQL schemas and for Relay, with every rule on: see `schema-lint.config.mjs`. */
import { readFileSync } from 'node:fs';
import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

const schema = readFileSync('schema.graphql', 'utf8');

/** What the rules say of a schema, a line a finding. */
async function lint(text: string): Promise<string[]> {
  const eslint = new ESLint({
    overrideConfigFile: 'test/graphql/documents/schema-lint.config.mjs',
    overrideConfig: { languageOptions: { parserOptions: { graphQLConfig: { schema: text } } } },
  });
  const [result] = await eslint.lintText(text, { filePath: 'schema.graphql' });
  return (
    result?.messages.map(({ line, ruleId, message }) => `${line}: ${ruleId ?? 'no rule'}: ${message}`) ?? [
      'nothing ran',
    ]
  );
}

describe('schema.graphql', () => {
  it('passes the rules for naming, for descriptions and for Relay', async () => {
    expect(await lint(schema)).toEqual([]);
  });

  it.each([
    ['a name in another case', 'interruptReason: String', 'interrupt_reason: String', 'naming-convention'],
    [
      'the name of its type before a field',
      '  lastFour: String!',
      '  accessTokenLastFour: String!',
      'no-typename-prefix',
    ],
    [
      'a field without a description',
      '  """The last four characters of the secret, to recognize the token by."""\n',
      '',
      'require-description',
    ],
    [
      'a connection without a cursor',
      '  """\n  Cursor of the end of the page, for `after`: of its last item or, if a search ended it early, of the last one that the search examined. Null if the page is empty and no further one follows.\n  """\n  endCursor: String\n',
      '',
      'relay-page-info',
    ],
    [
      'a list that cannot be paged',
      '"""\n    Return only threads after this cursor, or after the thread with this id.\n    """\n    after: String',
      '',
      'relay-arguments',
    ],
    ['an object that has lost its id', '  """Id of the token, to revoke it."""\n  id: ID!', '', 'strict-id-in-types'],
  ])('would not pass with %s', async (_what, good, bad, rule) => {
    expect(schema).toContain(good);
    const findings = await lint(schema.replace(good, bad));
    expect(findings.join('\n')).toContain(`@graphql-eslint/${rule}`);
  });
});

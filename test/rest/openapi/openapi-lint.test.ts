/** The description is a valid OpenAPI 3.1 document, and passes the linter that most publishers of one use, with its strictest rules. */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/rest/openapi.js';

const description = openApiDocument({ prefix: '/api/v1', publicUrl: 'https://skein.test' });

async function complaintsAbout(document: object): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  return problems.map(({ severity, ruleId, message, location }) => {
    const [{ pointer } = { pointer: '' }] = location;
    return `${severity} ${ruleId}: ${message} ${pointer}`;
  });
}

describe('the description', () => {
  it('passes the strict rules of Redocly', async () => {
    expect(await complaintsAbout(description)).toEqual([]);
  });

  it('would not be valid with a member that OpenAPI does not have', async () => {
    expect(await complaintsAbout({ ...description, path: {} })).toEqual([expect.stringContaining('struct')]);
  });
});

/** A body that is no JSON may hold anything: its refusal repeats none of it. */
import { describe, expect } from 'vitest';
import { it } from '../support/fixtures/service.js';

describe('a body that is not JSON', () => {
  it('is refused without repeating any of it', async ({ graphql }) => {
    const response = await graphql.post('{"query": "{ me { sub } }", confidential');
    expect(response.status).toBe(400);
    const answer = await response.text();
    expect(JSON.parse(answer)).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    expect(answer).not.toContain('confidential');
  });
});

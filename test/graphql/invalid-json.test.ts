/** A body that is no JSON may hold anything: its refusal repeats none of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GraphQLClient } from '../support/clients/graphql-client.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let client: GraphQLClient;
beforeAll(async () => {
  service = await startTestService();
  const { token } = await service.person();
  client = new GraphQLClient({ origin: service.url, token });
});
afterAll(() => service.stop());

describe('a body that is not JSON', () => {
  it('is refused without repeating any of it', async () => {
    const response = await client.post('{"query": "{ me { sub } }", confidential');
    expect(response.status).toBe(400);
    const answer = await response.text();
    expect(JSON.parse(answer)).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
    expect(answer).not.toContain('confidential');
  });
});

/** To refuse an operation that asks for too much costs next to nothing, in milliseconds of an idle machine. */
import { describe, expect } from 'vitest';
import { it } from '../../support/fixtures/service.js';
import { leastBusyMs } from '../../support/machine-speed.js';
import { excessive } from './excessive-operations.js';

describe('limits of an operation', () => {
  it.for(excessive)(
    'refuse %s quickly, by the limit of %s',
    async ([_what, limit, maximum, operation], { graphql }) => {
      const { result, ms } = await leastBusyMs(() => graphql.run(operation), { belowMs: 1000, tries: 3 });
      expect(ms).toBeLessThan(1000);
      expect(result.body.errors?.[0]?.extensions).toEqual({ code: 'LIMIT_EXCEEDED', limit, maximum });
    },
  );
});

/** To refuse fragments that expand to more than anybody can visit takes no time, in milliseconds of an idle machine. */
import { describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import { leastBusyMs } from '../../support/machine-speed.js';
import { endless, query, refusalOf } from './fragments.js';

const it = serviceTest();

describe('fragments that expand to more than anybody can visit are refused quickly', () => {
  it.for(endless)('%s', async ([_what, fragments], { graphql }) => {
    const refuse = () => refusalOf(graphql, 'thr_none', query('...F0', fragments));
    const { result, ms } = await leastBusyMs(refuse, { belowMs: 1000, tries: 3 });
    expect(ms).toBeLessThan(1000);
    expect(result).toMatchObject({ limit: 'fields' });
  });
});

/**
 * Requests made to hold up the service are answered without the event loop being held. What counts is for how long the loop was
 * busy, its client included, in milliseconds of an idle machine. Of some tries the best counts.
 */
import { afterAll, describe, expect } from 'vitest';
import { serviceTest } from '../../support/fixtures/service.js';
import { leastBusyMs } from '../../support/machine-speed.js';
import { attacks } from './attack-cases.js';
import { failuresOf, sender, ways } from './attack-requests.js';

const allowedMs = 20;
const figures: string[] = [];

const it = serviceTest({ settings: { concurrency: 0 } });
afterAll(() => {
  process.stdout.write(`Milliseconds for which the event loop was busy, best of the tries:\n${figures.join('\n')}\n`);
});

describe.each(ways)('an attack on $name', (way) => {
  it.for(Object.entries(attacks))('is answered quickly: %s', async ([name, attack], { service, ada }) => {
    const send = sender(service, ada, way, attack);
    await send();
    const { result, ms } = await leastBusyMs(send, { belowMs: allowedMs });
    figures.push(`${ms.toFixed(1).padStart(7)}  ${way.name.padEnd(22)} ${name}`);
    const [failure] = failuresOf(result);
    if (attack.code !== null) expect(failure?.extensions?.['code']).toBe(attack.code);
    expect(ms).toBeLessThan(allowedMs);
  });
});

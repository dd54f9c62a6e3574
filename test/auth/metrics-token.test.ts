/** Figures for whom the operator has given the token; what a load balancer asks for stays open. */
import { describe, expect } from 'vitest';
import { serviceTest } from '../support/fixtures/service.js';
import type { TestService } from '../support/service.js';

const token = 'figures-for-prometheus';

const it = serviceTest({ environment: { METRICS_TOKEN: token } });

const ask = ({ url }: Pick<TestService, 'url'>, path: string, authorization?: string) =>
  fetch(url + path, { headers: authorization === undefined ? {} : { authorization } });

describe('/metrics with METRICS_TOKEN', () => {
  it('returns the metrics for the token', async ({ service }) => {
    const response = await ask(service, '/metrics', `Bearer ${token}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('skein_viewers');
  });

  it.for([undefined, 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, token])(
    'is 401 without a figure for %j',
    async (authorization, { service }) => {
      const response = await ask(service, '/metrics', authorization);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="metrics"');
      expect(await response.text()).not.toContain('skein_');
    },
  );

  it('is 401 for an access token of the service', async ({ service }) => {
    const { token: personal } = await service.person({ role: 'admin' });
    expect((await ask(service, '/metrics', `Bearer ${personal}`)).status).toBe(401);
  });

  it('leaves /healthz and /readyz open', async ({ service }) => {
    expect((await ask(service, '/healthz')).status).toBe(200);
    // Once its worker has looked for work.
    await expect.poll(async () => (await ask(service, '/readyz')).status).toBe(200);
  });
});

it('/metrics without METRICS_TOKEN is open', async ({ service }) => {
  expect((await ask(await service.addNode({ METRICS_TOKEN: '' }), '/metrics')).status).toBe(200);
});

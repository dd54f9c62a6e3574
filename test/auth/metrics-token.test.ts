/** Figures for whom the operator has given the token; what a load balancer asks for stays open. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestService, type TestService } from '../support/service.js';

const token = 'figures-for-prometheus';

let service: TestService;
let openUrl: string;
beforeAll(async () => {
  service = await startTestService({ environment: { METRICS_TOKEN: token } });
  openUrl = (await service.addNode({ METRICS_TOKEN: '' })).url;
});
afterAll(() => service.stop());

const ask = (path: string, authorization?: string, url = service.url) =>
  fetch(url + path, { headers: authorization === undefined ? {} : { authorization } });

describe('/metrics with METRICS_TOKEN', () => {
  it('returns the metrics for the token', async () => {
    const response = await ask('/metrics', `Bearer ${token}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('skein_viewers');
  });

  it.each([undefined, 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, token])(
    'is 401 without a figure for %j',
    async (authorization) => {
      const response = await ask('/metrics', authorization);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer realm="metrics"');
      expect(await response.text()).not.toContain('skein_');
    },
  );

  it('is 401 for an access token of the service', async () => {
    const { token: personal } = await service.person({ role: 'admin' });
    expect((await ask('/metrics', `Bearer ${personal}`)).status).toBe(401);
  });

  it('leaves /healthz and /readyz open', async () => {
    for (const path of ['/healthz', '/readyz']) expect((await ask(path)).status).toBe(200);
  });
});

describe('/metrics without METRICS_TOKEN', () => {
  it('is open', async () => {
    expect((await ask('/metrics', undefined, openUrl)).status).toBe(200);
  });
});

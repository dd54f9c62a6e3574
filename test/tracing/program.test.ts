/** The real program: several processes, on nodes for requests and a node for responses, in one trace. */
import { expect, it, onTestFinished } from 'vitest';
import { askOnce, logOf } from '../cli/group.js';
import { end, serve } from '../cli/program.js';
import { RestClient } from '../support/clients/rest-client.js';
import { createTestDatabase } from '../support/database/database.js';
import { startModelServer } from '../support/model/model-server.js';
import { startCollector, tracedCaller } from './traced-service.js';

it('the program exports from each of its processes, at the latest when it ends, and continues a trace on another node', async () => {
  await using database = await createTestDatabase();
  await using model = await startModelServer();
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const variables = {
    DATABASE_URL: database.url,
    AI_MODEL: 'compatible:scripted',
    AI_BASE_URL: model.url,
    DRAIN_SECONDS: '0',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    // So that only the end sends them.
    OTEL_BSP_SCHEDULE_DELAY: '600000',
    OTEL_SERVICE_NAME: 'chat',
  };
  const api = await serve({ ...variables, ROLE: 'api', PROCESSES: '2' });
  const worker = await serve({ ...variables, ROLE: 'worker' });
  const [token] = await api.prints(/skn_pat_[0-9A-Za-z]{36}/);
  const rest = new RestClient({ origin: api.url, prefix: '/api/v1', token });
  const { traceId, headers } = tracedCaller();
  await rest.answer(await rest.createThread({ text: 'Hi' }, { headers }));
  // Connections go to the processes in turns.
  const authorization = { authorization: `Bearer ${token}`, ...headers };
  for (const _ of [1, 2, 3, 4]) await askOnce(`${api.url}/api/v1/me`, { headers: authorization });
  expect(await Promise.all([end(api), end(worker)])).toEqual([0, 0]);

  const spans = collector.spans.filter((span) => span.traceId === traceId);
  const processOf = (name: string) =>
    new Set(spans.filter((span) => span.name === name).map(({ resource }) => resource['service.instance.id']));
  expect(processOf('GET /api/v1/me').size).toBe(2);
  expect([...processOf('generate response')]).toEqual([expect.stringContaining('@')]);
  expect(processOf('GET /api/v1/me')).not.toContain([...processOf('generate response')][0]);
  const response = spans.find((span) => span.name === 'generate response');
  const request = spans.find((span) => span.name === 'POST /api/v1/threads');
  expect(response?.parentId).toBe(request?.spanId);
  expect(new Set(spans.map(({ resource }) => resource['service.name']))).toEqual(new Set(['chat']));
  const traced = [...logOf(api), ...logOf(worker)].filter((line) => 'traceId' in line && line.traceId === traceId);
  expect(new Set(traced.map(({ msg }) => msg))).toEqual(new Set(['request', 'response ended']));
});

/** A scrape of one process of a group is answered with the metrics of all. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { expect, it, onTestFinished } from 'vitest';
import { type MetricSnapshot, operatorRoutes, type SiblingMetrics } from '../../../src/routes/operator.js';
import { askOnce } from '../../cli/group.js';

/** What `/metrics` of process 1 says while process 2 has this to tell. */
async function scrape(other: readonly object[]): Promise<string> {
  let own: () => Promise<MetricSnapshot[]> = async () => [];
  const siblings: SiblingMetrics = {
    number: 1,
    provide: (read) => {
      own = read;
    },
    // As it comes from another process.
    gather: async () => JSON.parse(JSON.stringify([await own(), other])),
  };
  const sources = [{ name: 'skein_viewers', help: 'Viewers.', read: () => 3 }];
  const options = { isReady: async () => true, sources, metricsToken: undefined, siblings };
  const server = new Koa().use(operatorRoutes(options)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return (await askOnce(`http://127.0.0.1:${port}/metrics`)).text;
}

it('each value has the label of its process, and each metric is described once', async () => {
  const values = [{ value: 4, labels: { process: '2' } }];
  const text = await scrape([{ name: 'skein_viewers', help: 'Viewers.', type: 'gauge', aggregator: 'sum', values }]);
  const lines = text.split('\n').filter((line) => line.includes('skein_viewers'));
  expect(lines).toEqual([
    '# HELP skein_viewers Viewers.',
    '# TYPE skein_viewers gauge',
    'skein_viewers{process="1"} 3',
    'skein_viewers{process="2"} 4',
  ]);
  expect(text).toMatch(/^process_start_time_seconds\{process="1"\} \d+$/m);
});

it('a value that is no number stays one that Prometheus can read', async () => {
  const values = [{ value: Number.NaN, labels: { process: '2' } }];
  const text = await scrape([{ name: 'lag', help: 'Lag.', type: 'gauge', aggregator: 'average', values }]);
  expect(text).toMatch(/^lag\{process="2"\} Nan$/m);
});

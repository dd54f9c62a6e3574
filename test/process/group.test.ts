/** Several processes of one service: when one is started again, the metrics of all, and the way to the one that has a stream. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forwardingStreams, type SharedPort } from '../../src/platform/server/stream-forwarding.js';
import { RestartPolicy } from '../../src/process/group/restart-policy.js';
import { type MetricSnapshot, operatorRoutes, type SiblingMetrics } from '../../src/routes/operator.js';
import { type Asked, askOnce } from '../cli/group.js';
import { freePort } from '../support/network/free-port.js';

describe('a process that ended', () => {
  it('is started again at once, then with growing delays, and given up after five short lives in a row', () => {
    const policy = new RestartPolicy();
    const short = [10, 20, 10_000, 0, 5];
    expect(short.map((servedMs) => policy.afterEnd(servedMs))).toEqual([0, 1000, 2000, 4000, null]);
  });

  it('has a new start after it has served for more than ten seconds', () => {
    const policy = new RestartPolicy();
    const lives = [10, 10, 10, 10, 10_001, 10, 10, 10, 10];
    expect(lives.map((servedMs) => policy.afterEnd(servedMs))).toEqual([
      0,
      1000,
      2000,
      4000,
      0,
      1000,
      2000,
      4000,
      null,
    ]);
  });
});

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

async function listen(handler: RequestListener): Promise<number> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** What a process received, as the answer to it. */
function echo(name: string): RequestListener {
  return (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.once('end', () => {
      const { method, url, headers } = request;
      response.writeHead(202, { 'x-answered-by': name, 'set-cookie': ['a=1', 'b=2'] });
      response.end(JSON.stringify({ name, method, url, headers, body }));
    });
  };
}

/** Process 1, which shares its port with process 2. */
async function processes(portOfOther?: number) {
  const ports = new Map<number, number>();
  const group: SharedPort = { number: 1, ports };
  ports.set(2, portOfOther ?? (await listen(echo('process 2'))));
  const port = await listen(forwardingStreams(echo('process 1'), group));
  const ask = async (path: string, asked: Asked = {}) => {
    const { status, text } = await askOnce(`http://127.0.0.1:${port}${path}`, asked);
    return { status, ...(JSON.parse(text) as { name: string; url: string; body: string; headers: object }) };
  };
  return { ask };
}

describe('a request for a reserved stream', () => {
  it('reaches the process that has the stream, with its body, headers and the address of its caller', async () => {
    const { ask } = await processes();
    const headers = {
      authorization: 'Bearer x',
      'x-graphql-event-stream-token': '2-abc',
      'x-forwarded-for': '192.0.2.7',
    };
    const answer = await ask('/graphql/stream?a=1', { method: 'POST', headers, body: { query: '{ me }' } });
    expect(answer).toMatchObject({
      status: 202,
      name: 'process 2',
      url: '/graphql/stream?a=1',
      body: '{"query":"{ me }"}',
    });
    expect(answer.headers).toMatchObject({ authorization: 'Bearer x', 'x-forwarded-for': '192.0.2.7' });
  });

  it('is found by the token in its address too, which a browser sends', async () => {
    const { ask } = await processes();
    expect(await ask('/graphql/stream?token=2-abc')).toMatchObject({ name: 'process 2' });
  });

  it.each([
    ['of this process', '/graphql/stream?token=1-abc'],
    ['of a process that does not exist', '/graphql/stream?token=3-abc'],
    ['without a number', '/graphql/stream?token=abc'],
    ['at another path', '/nowhere?token=2-abc'],
  ])('is answered here if the stream is %s', async (_what, path) => {
    const { ask } = await processes();
    expect(await ask(path)).toMatchObject({ name: 'process 1' });
  });

  it('is passed on once, whatever processes believe of each other', async () => {
    const ports = new Map<number, number>();
    const port = await listen(forwardingStreams(echo('process 1'), { number: 1, ports }));
    ports.set(2, port);
    const { text } = await askOnce(`http://127.0.0.1:${port}/graphql/stream?token=2-abc`);
    expect(JSON.parse(text)).toMatchObject({ name: 'process 1' });
  });

  it('is answered here if the process that had the stream is gone', async () => {
    const { ask } = await processes(await freePort());
    const headers = { 'x-graphql-event-stream-token': '2-abc' };
    const answer = await ask('/graphql/stream', { method: 'POST', headers, body: { query: '{ me }' } });
    expect(answer).toMatchObject({ name: 'process 1', body: '{"query":"{ me }"}' });
  });
});

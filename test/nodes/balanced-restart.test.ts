/**
 * Two nodes behind the HAProxy of docs/reverse-proxy.md are restarted in turn, as an operator does, while clients ask, in
 * `stress` without a pause. Neither HAProxy nor the clients retry: a node that stops tells both in time.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { end, type Service, serve } from '../cli/program.js';
import { isInstalled, startProxy } from '../process/reverse-proxy.js';
import { isStress } from '../support/case-counts.js';
import { createTestDatabase } from '../support/database/database.js';
import { freePort } from '../support/network/free-port.js';

if (!isInstalled('haproxy')) console.warn('Not in PATH: haproxy. No rolling restart behind it is tried.');

/** Each takes half a minute of two processors. */
const processes = isStress ? ['1', '2'] : ['1'];
/** Between two requests of a client, which would keep both processors of a small machine busy. */
const pauseMs = isStress ? 0 : 500;
/** What runs on nodes that are restarted is told by `rolling-upgrade`. */
const ROLE = isStress ? 'all' : 'api';

/** Every request of a client, and how each ended. */
interface Figures {
  answered: number;
  failed: string[];
}

interface ClientOptions {
  port: number;
  token: string;
  method: 'GET' | 'POST';
  isKept: boolean;
}

/** Asks until the signal: over a connection that is kept alive, or over a new one each time. */
async function ask({ port, token, method, isKept }: ClientOptions, signal: AbortSignal): Promise<Figures> {
  const agent = isKept ? new Agent({ keepAlive: true, maxSockets: 1 }) : false;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const address = { host: '127.0.0.1', port, path: '/api/v1/threads', rejectUnauthorized: false };
  const figures: Figures = { answered: 0, failed: [] };
  while (!signal.aborted) {
    try {
      const sent = request({ ...address, method, headers, agent });
      sent.end(method === 'POST' ? JSON.stringify({ text: 'Hello!' }) : undefined);
      const [response] = await once(sent, 'response');
      const body = await text(response);
      if (response.statusCode < 300) figures.answered += 1;
      else figures.failed.push(`${method} ${response.statusCode} ${body}`);
      await sleep(pauseMs);
    } catch (error) {
      figures.failed.push(`${method} ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  if (agent) agent.destroy();
  return figures;
}

/** Which servers HAProxy sends requests to. */
async function serversUp(socketFile: string): Promise<string[]> {
  const socket = connect(socketFile);
  socket.write('show stat\n');
  const lines = (await text(socket)).split('\n').map((line) => line.split(','));
  return lines.flatMap(([, name = '', ...columns]) =>
    ['one', 'two'].includes(name) && columns[15] === 'UP' ? [name] : [],
  );
}

async function startBalancer([one, two]: readonly [Service, Service]) {
  const folder = await mkdtemp(join(tmpdir(), 'skein-balancer-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const statistics = join(folder, 'haproxy.sock');
  const lineOfOne = `server one ${new URL(one.url).host}`;
  const proxy = await startProxy('haproxy', one.url, [
    [lineOfOne, `${lineOfOne}\n  server two ${new URL(two.url).host}`],
    ['maxconn 4096', `maxconn 4096\n  stats socket ${statistics}`],
    ['mode http', 'mode http\n  retries 0'],
  ]);
  onTestFinished(() => proxy.stop());
  const bothUp = () =>
    vi.waitFor(async () => expect(await serversUp(statistics)).toEqual(['one', 'two']), { timeout: 30_000 });
  return { port: proxy.port, bothUp };
}

describe.runIf(isInstalled('haproxy')).each(processes)('two nodes with PROCESSES=%s behind HAProxy', (PROCESSES) => {
  it('a rolling restart fails no request, though nobody retries', { timeout: 180_000 }, async () => {
    await using database = await createTestDatabase();
    const ports = [String(await freePort()), String(await freePort())] as const;
    const startNode = (PORT: string) => serve({ DATABASE_URL: database.url, PORT, PROCESSES, ROLE });
    const nodes: [Service, Service] = [await startNode(ports[0]), await startNode(ports[1])];
    onTestFinished(async () => void (await Promise.all(nodes.map((node) => end(node, 'SIGKILL')))));
    const [token = ''] = /skn_pat_[0-9A-Za-z]{36}/.exec(nodes[0].stdout) ?? [];
    const { port, bothUp } = await startBalancer(nodes);
    await bothUp();
    const stopping = new AbortController();
    const clients = (['GET', 'POST'] as const).flatMap((method) =>
      [true, true, false].map((isKept) => ask({ port, token, method, isKept }, stopping.signal)),
    );
    for (const index of [0, 1] as const) {
      expect(await end(nodes[index])).toBe(0);
      nodes[index] = await startNode(ports[index]);
      await bothUp();
    }
    stopping.abort();
    const figures = await Promise.all(clients);
    expect(figures.flatMap(({ failed }) => failed)).toEqual([]);
    for (const { answered } of figures) expect(answered).toBeGreaterThan(0);
  });
});

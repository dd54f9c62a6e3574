/** Requests for a reserved stream reach the process that has it. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { forwardingStreams, type SharedPort } from '../../../src/platform/server/stream-forwarding.js';
import { type Asked, askOnce } from '../../cli/group.js';
import { freePort } from '../../support/network/free-port.js';

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

/** A network that lets nothing out but a proxy: Node.js knows how to use one, and the connections of Skein leave that to it. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { skein } from '../cli/program.js';
import { text } from '../support/model/model-script.js';
import { startModelServer } from '../support/model/model-server.js';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const knowsProxies = major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);

/** A proxy that reaches one server, whatever the name it is asked for, and opens no tunnel. */
async function proxyTo(url: string): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const proxy = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    const { method, headers } = incoming;
    const { pathname: path } = new URL(incoming.url ?? '');
    const outgoing = request(url, { method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  proxy.on('connect', ({ url: target }, socket) => {
    asked.push(`CONNECT ${target}`);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void proxy.close());
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
}

it.skipIf(!knowsProxies)(
  'models are reached through the proxy of the environment, but for what NO_PROXY names',
  async () => {
    const model = await startModelServer();
    onTestFinished(() => model.close());
    model.respond(() => [text('Paris')]);
    const proxy = await proxyTo(model.url);
    const through = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, AI_API_KEY: 'key' };
    const check = (variables: Record<string, string>) => skein(['model', 'check'], { ...through, ...variables });

    const far = await check({ AI_MODEL: 'compatible:m', AI_BASE_URL: 'http://model.example/v1' });
    expect(far.stdout).toContain('compatible:m: model ok');
    expect(new Set(proxy.asked.splice(0))).toEqual(new Set(['POST http://model.example/v1/chat/completions']));

    const named = await check({ AI_MODEL: 'openai:m' });
    const secure = await check({ AI_MODEL: 'compatible:m', AI_BASE_URL: 'https://model.example/v1' });
    expect([named.status, secure.status]).toEqual([1, 1]);
    expect(new Set(proxy.asked.splice(0))).toEqual(
      new Set(['CONNECT api.openai.com:443', 'CONNECT model.example:443']),
    );

    const near = await check({ AI_MODEL: 'compatible:m', AI_BASE_URL: model.url, NO_PROXY: '127.0.0.1' });
    expect(near.stdout).toContain('compatible:m: model ok');
    expect(proxy.asked).toEqual([]);
  },
);

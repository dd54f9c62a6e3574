/** What runs on a node when it stops, other than responses and their streams, has the same time to finish. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, vi } from 'vitest';
import type { RunningService } from '../../src/serve.js';
import { serviceTest } from '../support/fixtures/service.js';

const it = serviceTest({ environment: { ROLE: 'worker' } });
const patient = { timeout: 30_000 };

const body = JSON.stringify({ text: 'It took a while to send this.' });

/** A client that has sent half of a message, which the node is reading. */
async function sender(node: RunningService, token: string): Promise<Socket> {
  const client = connect(Number(new URL(node.url).port), '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void client.destroy());
  const head = ['POST /api/v1/threads HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${token}`];
  const ofBody = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue'];
  client.write(`${[...head, ...ofBody].join('\r\n')}\r\n\r\n`);
  expect((await once(client, 'data'))[0]).toContain('100 Continue');
  client.write(body.slice(0, 10));
  return client;
}

it('a request whose body is still arriving when its node stops is read to its end, and answered', async ({
  service,
  ada,
}) => {
  const leaving = await service.addNode({ ROLE: 'api' });
  const client = await sender(leaving, ada.token);
  const stopped = leaving.stop(60_000);
  await vi.waitFor(() => expect(leaving.ending).toBe('the requests under way'), patient);
  client.write(body.slice(10));
  expect((await once(client, 'data'))[0]).toContain('201 Created');
  await stopped;
});

it('a request that never ends holds its node no longer than running responses may take', async ({ service, ada }) => {
  const leaving = await service.addNode({ ROLE: 'api' });
  const client = await sender(leaving, ada.token);
  const closed = once(client, 'close');
  await leaving.stop(100);
  await closed;
});

/** A service of several processes that cannot start, or cannot go on. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase } from '../support/database/database.js';
import { runSql } from '../support/server.js';
import { livingPids, logOf, startedPids } from './group.js';
import { end, type Service, serve, skein } from './program.js';

const patient = { timeout: 60_000 };

it('a port that is taken is reported once, with what to do', async () => {
  await using database = await createTestDatabase();
  const holder = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void holder.close());
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  const variables = { DATABASE_URL: database.url, PORT: String(port), PROCESSES: '2' };
  const { status, stdout, stderr } = await skein(['serve'], variables);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(logOf({ stderr }).filter(({ level }) => level >= 40)).toMatchObject([
    {
      level: 60,
      msg: `Another program already listens on port ${port} of 127.0.0.1. Stop it, or set PORT (or METRICS_PORT) to another port.`,
    },
  ]);
});

it('connections beyond the limit of all processes are closed, and not passed round; a process that cannot be started again ends the service with status 1', {
  timeout: 240_000,
}, async () => {
  await using database = await createTestDatabase();
  const service = await serve({ DATABASE_URL: database.url, PROCESSES: '2', MAX_CONNECTIONS: '10' });
  onTestFinished(async () => void (await end(service, 'SIGKILL')));
  await connectTooOften(service);
  await runSql(database.url, 'ALTER TABLE service_secret RENAME TO elsewhere');
  process.kill(startedPids(service)[1]?.pid ?? 0, 'SIGKILL');
  expect(await service.ended).toBe(1);
  const causes = logOf(service).filter((line) => line.process === 2 && line.level === 60);
  expect(causes).toHaveLength(4);
  const [last] = logOf(service).filter((line) => line.process === 0 && line.level === 60);
  expect(last?.msg).toBe('process 2 ended soon after each of five starts; its lines above say why');
  expect(livingPids(service)).toEqual([]);
});

async function connectTooOften(service: Service): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const sockets = Array.from({ length: 25 }, () => connect(Number(port), hostname).on('error', () => undefined));
  let closed = 0;
  let received = '';
  for (const socket of sockets) {
    socket.on('data', (data) => {
      received += data.toString();
    });
    socket.once('close', () => {
      closed += 1;
    });
    // A head that does not end keeps a connection busy, until it is refused.
    socket.write('GET / HTTP/1.1\r\n');
  }
  await vi.waitFor(() => expect(closed).toBeGreaterThanOrEqual(5), patient);
  expect(received).toBe('');
  for (const socket of sockets) socket.destroy();
}

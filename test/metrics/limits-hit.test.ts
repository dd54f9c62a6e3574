/** Refusals for a limit that no operation reports as an error: quotas of attachments, and connections that are closed. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { quota } from '../../src/modules/attachments/announce.js';
import { announce } from '../graphql/attachments/attached-file.js';
import { newcomersTest } from '../support/fixtures/service.js';
import { scrape } from './scrape.js';

const mebibyte = 2 ** 20;

const it = newcomersTest({
  environment: { MAX_CONNECTIONS: '10', ATTACHMENT_STORAGE_PER_USER: '1' },
  settings: { concurrency: 0 },
});

const fileOf = (size: number) => ({ name: 'a.txt', mediaType: 'text/plain', size });
const hits = async (url: string, limit: string) => (await scrape(url)).sum('skein_limits_hit_total', { limit });

describe('skein_limits_hit_total', () => {
  it('counts an attachment for which there is no storage', async ({ service, ada }) => {
    expect(await announce(service, ada, fileOf(mebibyte))).toHaveProperty('attachment');
    expect(await hits(service.url, 'attachment-storage')).toBe(0);
    expect(await announce(service, ada, fileOf(1))).toMatchObject({ code: 'ATTACHMENT_QUOTA' });
    expect(await hits(service.url, 'attachment-storage')).toBe(1);
  });

  it('counts an attachment beyond those that may be unsent', async ({ service, ada }) => {
    for (let count = 0; count < quota.attachments; count += 1) await announce(service, ada, fileOf(1));
    expect(await hits(service.url, 'unsent-attachments')).toBe(0);
    expect(await announce(service, ada, fileOf(1))).toMatchObject({ code: 'ATTACHMENT_QUOTA' });
    expect(await hits(service.url, 'unsent-attachments')).toBe(1);
  });

  it('counts connections that are closed because there are too many', async ({ service }) => {
    expect(await hits(service.url, 'connections')).toBe(0);
    const { hostname, port } = new URL(service.url);
    const sockets = Array.from({ length: 12 }, () => connect(Number(port), hostname).on('error', () => undefined));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await Promise.race(sockets.map((socket) => once(socket, 'close')));
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect(await hits(service.url, 'connections')).toBeGreaterThan(0), {
      timeout: 10_000,
    });
  });
});

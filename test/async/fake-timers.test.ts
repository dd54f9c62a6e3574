import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fakeTimers, realTimers } from '../support/fake-timers.js';

it('fake timers are counted without those of a connection that fetch keeps', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await vi.waitFor(() => expect(server.listening).toBe(true));
  fakeTimers();
  onTestFinished(() => {
    realTimers();
    server.closeAllConnections();
    server.close();
  });
  await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text();
  expect(vi.getTimerCount()).toBe(0);
});

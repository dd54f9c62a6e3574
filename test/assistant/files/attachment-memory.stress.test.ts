/** None of the attachments of running responses is held while it is not sent. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';

// 60 images of 10 MiB on a heap of 1 GiB: IMAGES=60 IMAGE_MIB=10 HEAP_MIB=1024.
const images = Number(process.env['IMAGES'] ?? 24);
const mebibytes = Number(process.env['IMAGE_MIB'] ?? 4);
const heap = Number(process.env['HEAP_MIB'] ?? 96);

it(`the attachments of running responses fit on a small heap: ${images} images of ${mebibytes} MiB on ${heap} MiB`, async () => {
  let received = 0;
  const silent = createServer((request) => {
    request.resume().once('end', () => {
      received += 1;
    });
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
  const program = new URL('../programs/many-images.ts', import.meta.url).pathname;
  const flags = [`--max-old-space-size=${heap}`, '--import', 'tsx', program];
  const child = spawn(process.execPath, [...flags, url, String(images), String(mebibytes)], { stdio: 'inherit' });
  try {
    const ended = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`The process ended with ${code ?? signal} after ${received} requests.`);
    });
    await Promise.race([ended, expect.poll(() => received, { timeout: 50_000 }).toBe(images)]);
    ended.catch(() => undefined);
  } finally {
    child.kill('SIGKILL');
    silent.closeAllConnections();
    silent.close();
  }
});

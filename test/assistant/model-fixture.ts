/** Tests of what is said to a model and heard from it: each has a scripted model of its own. */
import { test } from 'vitest';
import { startModelServer } from '../support/model/model-server.js';

export const it = test.extend('server', async ({ onTestFinished }) => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  return server;
});

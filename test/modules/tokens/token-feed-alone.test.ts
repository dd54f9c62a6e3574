/** A node alone on a PostgreSQL of its own writes no text for others, until another one comes. */
import { expect, it } from 'vitest';
import { ShutdownStack } from '../../../src/process/shutdown-stack.js';
import { createTestDatabase } from '../../support/database/database.js';
import { runSql } from '../../support/server.js';
import { Speaker } from './feed-viewer.js';
import { startPostgresNode } from './feed-world.js';

it('a node that comes during a response shows all of it, and the one before it wrote nothing until then', async () => {
  await using storage = await createTestDatabase();
  const shutdown = new ShutdownStack();
  const startNode = () => startPostgresNode({ url: storage.url, directUrl: storage.url, shutdown });
  const chunks = () => runSql(storage.url, 'SELECT body FROM token_chunk');
  try {
    const { feed: first, listener } = await startNode();
    // With the first response of all, the node asks who listens. Whoever asks after it is answered after it.
    new Speaker({ feed: first }).end();
    await listener.othersListen();
    const speaker = new Speaker({ feed: first }).say('Hel', 'lo');
    await speaker.seenOn(first).sees('Hello');
    expect(await chunks()).toEqual([]);
    const viewer = speaker.seenOn((await startNode()).feed);
    await viewer.sees('Hello');
    speaker.say(', world');
    await viewer.sees('Hello, world');
    speaker.end();
    await viewer.seesTheEnd('Hello, world');
  } finally {
    await shutdown.end();
  }
});

/**
 * What every feed gives the viewers of another node, whatever carries the tokens. That the whole text comes, in order, of the newest
 * attempt alone, whoever joins and whatever breaks, is in `token-feed-property.test.ts`.
 */
import { expect, it } from 'vitest';
import { ShutdownStack } from '../../../src/process/shutdown-stack.js';
import { createTestDatabase } from '../../support/database/database.js';
import { runSql } from '../../support/server.js';
import { heard, Speaker } from './feed-viewer.js';
import { describeFeeds, startPostgresNode } from './feed-world.js';

describeFeeds('the token feed', (world) => {
  it('reports the end', async () => {
    const { speaker, viewer } = await heard(world().a, world().b, 'all of ');
    expect(viewer.reader.hasWholeText({ epoch: 1, text: 7, thinking: 0 })).toBe(false);
    const { revision } = viewer.reader;
    speaker.say('it');
    speaker.end();
    await viewer.seesTheEnd('all of it');
    expect(viewer.reader.revision).toBeGreaterThan(revision);
  });

  it('shows a new attempt without any text of the old one', async () => {
    const first = new Speaker({ feed: world().a }).say('the first');
    const viewer = first.seenOn(world().a);
    const other = first.seenOn(world().b);
    await other.sees('the first');
    const { revision } = other.reader;
    const second = first.replacedBy(world().b).say('the second');
    await Promise.all([viewer, other].map((each) => each.sees('the second', 2)));
    expect(other.text(1)).toBe('');
    expect(other.reader.revision).toBeGreaterThan(revision);
    second.end();
    await viewer.seesTheEnd('the second', 2);
  });

  it('keeps nothing of a response that nobody on this node follows any more', async () => {
    const { speaker, viewer } = await heard(world().a, world().b, 'some');
    const held = world().b.log.stats().bytes;
    viewer.reader.close();
    speaker.say(' more');
    const another = new Speaker({ feed: world().a }).say('x');
    await another.seenOn(world().b).sees('x');
    const isLocal = world().a === world().b;
    expect(world().b.log.stats().bytes).toBe(isLocal ? held + ' morex'.length : held + 'x'.length - 'some'.length);
    await speaker.seenOn(world().b).sees('some more');
  });

  it('sends the remaining text when it ends', async () => {
    const { a, b } = world();
    const { speaker, viewer } = await heard(a, b, 'first');
    speaker.say(' and last');
    speaker.end();
    await a.close();
    await viewer.seesTheEnd('first and last');
  });
});

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

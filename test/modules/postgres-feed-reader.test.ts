import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { createPrismaClient } from '../../src/database/client.js';
import { encodeFeed } from '../../src/modules/tokens/feed-message.js';
import { PostgresFeedReader } from '../../src/modules/tokens/postgres-feed-reader.js';
import { TokenLog } from '../../src/modules/tokens/token-log.js';
import { createTestDatabase } from '../support/database.js';
import { patience } from './feed-viewer.js';

const logger = pino({ level: 'silent' });

it('an attempt that is followed from its first piece on comes without a look at the table', async () => {
  await using test = await createTestDatabase();
  const database = createPrismaClient({ url: test.url, applicationName: 'feed', maxConnections: 1, logger });
  const log = new TokenLog();
  const reader = new PostgresFeedReader({ database, log, logger, node: 'here' });
  const viewer = log.attach('msg_followed');
  const notify = (seq: number, text: string) => {
    const chunk = { responseId: 'msg_followed', epoch: 3, seq, kind: 'text', text } as const;
    for (const payload of encodeFeed('there', [chunk])) reader.receive(payload);
  };
  const seen = () => viewer.next({ epoch: 3, text: 0, thinking: 0 }, { thinking: false, maxBytes: 1000 })?.text;
  reader.follow('msg_followed');
  // The table stays empty: whoever asks it is told of nothing. The look with which following begins must be over first.
  await vi.waitFor(() => {
    notify(0, 'Hel');
    expect(seen()).toBe('Hel');
  }, patience);
  notify(1, 'lo');
  expect(seen()).toBe('Hello');
  viewer.close();
  await database.$disconnect();
});

/** How long a stop waits: until its caller leaves, or a bounded number of statements, whatever the rows say. */
import { describe, expect } from 'vitest';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import { UnavailableError } from '../../../src/errors.js';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import { stopResponse } from '../../../src/modules/responses/stop-response.js';
import { breakPairs } from '../../support/database/impossible-pairs.js';
import { it } from './protocol-fixture.js';
import { type ProtocolWorld, workerNamed } from './protocol-world.js';

/** The database, telling of each statement before it runs. */
function telling(world: ProtocolWorld, onStatement: () => void): PrismaClient {
  return world.database.$extends({
    query: {
      $allOperations({ args, query }) {
        onStatement();
        return query(args);
      },
    },
  }) as unknown as PrismaClient;
}

const stopOf = (world: ProtocolWorld, messageId: string) => ({
  viewer: world.viewer,
  messageId,
  reason: 'Ada stopped it.',
});

describe('stopResponse', () => {
  it('ends when its caller leaves, and keeps the stop request in the row', async ({ world }) => {
    const { messageId } = await world.ask();
    await claim(world.database, workerNamed('silent'), 1);
    const caller = new AbortController();
    let statements = 0;
    const database = telling(world, () => {
      statements += 1;
      if (statements === 4) caller.abort();
    });
    const stop = stopResponse(database, { ...stopOf(world, messageId), limitMs: 3_600_000, signal: caller.signal });
    await expect(stop).rejects.toThrow(UnavailableError);
    expect(statements, 'none follows').toBe(4);
    const response = await world.database.response.findUniqueOrThrow({ where: { messageId } });
    expect(response).toMatchObject({ status: 'running', stopReason: 'Ada stopped it.' });
  });

  it('gives up after a few statements if contradictory rows keep the response from ending', async ({ world }) => {
    const { threadId, messageId } = await world.ask();
    await breakPairs(
      world.storage.url,
      `UPDATE thread SET state = 'active', queued_at = NULL WHERE id = '${threadId}'`,
    );
    let statements = 0;
    const database = telling(world, () => {
      statements += 1;
    });
    const { signal } = new AbortController();
    const stop = stopResponse(database, { ...stopOf(world, messageId), limitMs: 0, signal });
    await expect(stop).rejects.toThrow(UnavailableError);
    expect(statements, 'one asks, three force, and four look').toBeLessThanOrEqual(8);
  });
});

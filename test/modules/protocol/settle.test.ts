import { describe, expect } from 'vitest';
import { createId } from '../../../src/ids.js';
import type { ClaimedResponse } from '../../../src/modules/responses/protocol/claimed-response.js';
import { reclaim } from '../../../src/modules/responses/protocol/reclaim.js';
import { type Settlement, settle } from '../../../src/modules/responses/protocol/settle.js';
import { it } from './protocol-fixture.js';
import { type ProtocolWorld, workerNamed } from './protocol-world.js';

const bob = workerNamed('bob');

function settlementOf(run: ClaimedResponse): Settlement {
  const contents = [{ type: 'text' as const, text: 'Hello' }];
  const usage = { model: 'm', inputTokens: 3, outputTokens: 4 };
  return { run, outcome: { status: 'succeeded' }, answer: { id: createId('msg'), contents }, usage };
}

async function isStored({ database }: ProtocolWorld, settlement: Settlement): Promise<boolean> {
  return (await settle(database, settlement)).isStored;
}

const failed = { status: 'failed', errorCode: 'model_failed', errorMessage: 'It broke.' } as const;

describe('settle', () => {
  it('stores the answer and makes the thread ready, together', async ({ world }) => {
    const run = await world.running();
    expect(await isStored(world, settlementOf(run))).toBe(true);
    expect(await world.thread(run.threadId)).toMatchObject({ state: 'ready', epoch: 1, queuedAt: null });
    const response = await world.database.response.findUnique({ where: { messageId: run.messageId } });
    expect(response).toMatchObject({
      status: 'succeeded',
      leaseUntil: null,
      model: 'm',
      inputTokens: 3,
      outputTokens: 4,
    });
    expect(await world.messages(run.threadId)).toEqual(['user: Hi', 'assistant: Hello']);
  });

  it('succeeds when it is repeated after a lost answer, and stores nothing twice', async ({ world }) => {
    const run = await world.running();
    const settlement = settlementOf(run);
    expect([await isStored(world, settlement), await isStored(world, settlement)]).toEqual([true, true]);
    expect(await world.messages(run.threadId)).toEqual(['user: Hi', 'assistant: Hello']);
    await world.askAgain(run.threadId);
    expect(await isStored(world, settlement)).toBe(true);
    expect(await world.thread(run.threadId)).toMatchObject({ state: 'waiting' });
    expect(await world.messages(run.threadId)).toEqual(['user: Hi', 'assistant: Hello', 'user: And then?']);
  });

  it('fails with a reason, and keeps the text if there is any', async ({ world }) => {
    const [silent, cut] = [await world.running(), await world.running()];
    const settlements = [
      { ...settlementOf(silent), outcome: failed, answer: null },
      { ...settlementOf(cut), outcome: failed },
    ];
    for (const settlement of settlements) {
      expect([await isStored(world, settlement), await isStored(world, settlement)]).toEqual([true, true]);
      expect(await world.thread(settlement.run.threadId)).toMatchObject({ state: 'error' });
      const response = await world.response(settlement.run.messageId);
      expect(response).toMatchObject({ status: 'failed', errorCode: 'model_failed', leaseUntil: null });
    }
    expect(await world.messages(silent.threadId)).toEqual(['user: Hi']);
    expect(await world.messages(cut.threadId)).toEqual(['user: Hi', 'assistant: Hello']);
  });

  it('is refused under an epoch that is no longer the thread’s, also after its end', async ({ world }) => {
    const lost = await world.running();
    await world.expireLease(lost);
    const [taken] = await reclaim(world.database, bob, 1);
    expect(await isStored(world, settlementOf(lost))).toBe(false);
    expect(await isStored(world, { ...settlementOf(lost), outcome: failed })).toBe(false);
    expect(await world.messages(lost.threadId)).toEqual(['user: Hi']);
    expect(await world.end(taken ?? expect.fail('nothing was reclaimed'))).toBe(true);
    expect(await isStored(world, settlementOf(lost))).toBe(false);
    expect(await world.messages(lost.threadId)).toEqual(['user: Hi', 'assistant: epoch 2']);
  });

  it('stores the text of a response with a stop request, with the reason', async ({ world }) => {
    const run = await world.running();
    await world.requestStop(run);
    const settlement = { ...settlementOf(run), outcome: { status: 'interrupted' } as const };
    expect([await isStored(world, settlement), await isStored(world, settlement)]).toEqual([true, true]);
    const thread = await world.database.thread.findUnique({ where: { id: run.threadId } });
    expect(thread).toMatchObject({ state: 'interrupted', interruptReason: 'Ada stopped it.' });
    expect(await world.response(run.messageId)).toMatchObject({
      status: 'interrupted',
      errorCode: 'response_interrupted',
    });
    expect(await world.messages(run.threadId)).toEqual(['user: Hi', 'assistant: Hello']);
  });

  it('is rejected if another outcome is stored under the same epoch', async ({ world }) => {
    const run = await world.running();
    await world.requestStop(run);
    const answer = null;
    await isStored(world, { ...settlementOf(run), outcome: { status: 'interrupted' }, answer });
    expect(await isStored(world, settlementOf(run))).toBe(false);
    expect(await world.messages(run.threadId)).toEqual(['user: Hi']);
  });

  it('stores times that agree with the order of the messages, even if the clock goes back', async ({ world }) => {
    const run = await world.running();
    const future = new Date(Date.now() + 3_600_000);
    await world.database.thread.update({ where: { id: run.threadId }, data: { updatedAt: future } });
    await isStored(world, settlementOf(run));
    await world.askAgain(run.threadId);
    const { threadId } = run;
    const messages = await world.database.message.findMany({ where: { threadId }, orderBy: { sequence: 'asc' } });
    const times = messages.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.slice(1)).toEqual([future.getTime(), future.getTime()]);
    expect((await world.thread(threadId)).updatedAt).toEqual(future);
  });
});

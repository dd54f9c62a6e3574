/** A database with one user, for tests of the statements of the protocol; several workers that share it. */
import { afterAll, beforeAll, test } from 'vitest';
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { ThreadStateName } from '../../../src/contract.js';
import { createPrismaClient } from '../../../src/database/client.js';
import { createId } from '../../../src/ids.js';
import type { Viewer } from '../../../src/modules/identity/authenticate.js';
import { createOrganization, createUser } from '../../../src/modules/identity/provision.js';
import { keyedRequest } from '../../../src/modules/messages/sending/idempotency.js';
import { createThread, sendMessage } from '../../../src/modules/messages/sending/post-message.js';
import type { PostedMessage } from '../../../src/modules/messages/sending/posted-message.js';
import { type Claimer, claim } from '../../../src/modules/responses/protocol/claim.js';
import { type ClaimedAtOnce, noSlots, type Slots } from '../../../src/modules/responses/protocol/claim-at-once.js';
import type { ClaimedResponse, Worker } from '../../../src/modules/responses/protocol/claimed-response.js';
import { type Outcome, settle } from '../../../src/modules/responses/protocol/settle.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/database.js';
import { Spy } from '../../support/database/spy.js';
import { logger } from '../../support/silent-logger.js';

export const lease = { leaseMs: 60_000, heartbeatMs: 1000, pollMs: 1000, maxAttempts: 3, deadlineMs: 600_000 };

export const workerNamed = (id: string): Worker => ({ id, lease });

/** A slot of the worker for every statement; `begun` is what they were used for. */
export class ReservedSlots implements Slots {
  readonly begun: ClaimedAtOnce[] = [];
  readonly #worker: Claimer;
  readonly #others: number;

  /** `others`: how many other slots are reserved. */
  constructor(worker: Claimer, { others = 0 } = {}) {
    this.#worker = worker;
    this.#others = others;
  }

  reserve: Slots['reserve'] = (send) => {
    const reserved = { others: this.#others, reservedMs: performance.now(), conversationBytes: 1000 };
    return send({ worker: this.#worker, ...reserved, begin: (claimed) => this.begun.push(claimed) });
  };
}

interface Sending {
  from?: ThreadStateName[];
  slots?: Slots;
  text?: string;
  database?: PrismaClient;
}

export class ProtocolWorld {
  private constructor(
    readonly storage: TestDatabase,
    readonly database: PrismaClient,
    readonly viewer: Viewer,
  ) {}

  static async open(): Promise<ProtocolWorld> {
    const storage = await createTestDatabase();
    const options = { applicationName: 'protocol test', maxConnections: 10, logger };
    const database = createPrismaClient({ url: storage.url, ...options });
    await createOrganization(database, { slug: 'acme', name: 'Acme' });
    const user = { organizationSlug: 'acme', email: 'ada@acme.test', name: 'Ada', role: 'member' as const };
    const { id, number, organizationId, name, email, role } = await createUser(database, user);
    const token = { scopes: new Set<never>(), tokenId: createId('tok'), tokenExpiresAt: null };
    const organization = { organizationId, organizationSlug: 'acme', organizationName: 'Acme', hasBudgets: false };
    const who = { userId: id, userNumber: number, name, email, role, ...organization };
    return new ProtocolWorld(storage, database, { ...who, ...token });
  }

  async close(): Promise<void> {
    await this.database.$disconnect();
    await this.storage.drop();
  }

  /** A new thread with a first message, `waiting` unless it is claimed in one of the slots. */
  ask({ slots = noSlots, database = this.database }: Sending = {}): Promise<PostedMessage> {
    const request = keyedRequest(this.viewer, 'test', { key: null, body: null, slots });
    return createThread(database, request, { text: 'Hi', name: null, isPrivate: false });
  }

  /** A new response that Ann's worker has claimed. */
  async running(): Promise<ClaimedResponse> {
    await this.ask();
    const [run] = await claim(this.database, workerNamed('ann'), 1);
    if (!run) throw new Error('Nothing was claimed.');
    return run;
  }

  /** Another message; throws where the thread is in no state of `from`. */
  askAgain(threadId: string, sending: Sending = {}): Promise<PostedMessage> {
    const { from = ['ready'], slots = noSlots, text = 'And then?', database = this.database } = sending;
    const request = keyedRequest(this.viewer, 'test', { key: null, body: null, slots });
    return sendMessage(database, request, { threadId, text, from });
  }

  /** Ends a run; the answer says by which epoch it was made. */
  async end(
    run: ClaimedResponse,
    outcome: Outcome = { status: 'succeeded' },
    database = this.database,
  ): Promise<boolean> {
    const answer = { id: createId('msg'), contents: [{ type: 'text' as const, text: `epoch ${run.epoch}` }] };
    const usage = { model: 'test', inputTokens: 1, outputTokens: 2 };
    return (await settle(database, { run, outcome, answer, usage })).isStored;
  }

  async thread(id: string) {
    const { state, epoch, queuedAt, updatedAt } = await this.database.thread.findUniqueOrThrow({ where: { id } });
    return { state, epoch: Number(epoch), queuedAt, updatedAt };
  }

  async response(messageId: string) {
    const row = await this.database.response.findUniqueOrThrow({ where: { messageId } });
    const { status, attempt, epoch, workerId, leaseUntil, errorCode, finishedAt } = row;
    return { status, attempt, epoch: Number(epoch), workerId, leaseUntil, errorCode, finishedAt };
  }

  /** Roles and texts, in the order of the thread. */
  async messages(threadId: string): Promise<string[]> {
    const messages = await this.database.message.findMany({ where: { threadId }, orderBy: { sequence: 'asc' } });
    return messages.map(({ role, contents }) => `${role}: ${(contents as { text: string }[])[0]?.text}`);
  }

  /** Somebody asks to stop a response that runs. */
  async requestStop({ messageId }: { messageId: string }): Promise<void> {
    await this.database.response.update({ where: { messageId }, data: { stopReason: 'Ada stopped it.' } });
  }

  /** The lease of a response ran out this long ago. */
  async expireLease({ messageId }: { messageId: string }, agoMs = 1): Promise<void> {
    await this.database.$executeRaw`
      UPDATE response SET lease_until = clock_timestamp() - ${agoMs}::double precision * interval '1 ms'
      WHERE message_id = ${messageId}`;
  }

  /** The deadline of a response passed this long ago. */
  async passDeadline({ messageId }: { messageId: string }, agoMs = 1): Promise<void> {
    await this.database.$executeRaw`
      UPDATE response SET deadline_at = clock_timestamp() - ${agoMs}::double precision * interval '1 ms'
      WHERE message_id = ${messageId}`;
  }

  /** The thread has been waiting for this long. */
  async queuedSince({ threadId }: { threadId: string }, agoMs: number): Promise<void> {
    await this.database.$executeRaw`
      UPDATE thread SET queued_at = clock_timestamp() - ${agoMs}::double precision * interval '1 ms' WHERE id = ${threadId}`;
  }

  async removeThreads(): Promise<void> {
    await this.database.$executeRaw`DELETE FROM thread`;
  }
}

/** A world that is open while the tests of a file, or of a suite, run; what `fill` does comes before them. */
export function openedWorld(fill?: (world: ProtocolWorld) => Promise<unknown>): () => ProtocolWorld {
  let world: ProtocolWorld;
  beforeAll(async () => {
    world = await ProtocolWorld.open();
    await fill?.(world);
  });
  afterAll(() => world.close());
  return () => world;
}

export const it = test
  .extend('openWorld', { scope: 'file' }, () => ProtocolWorld.open)
  .extend('sharedWorld', { scope: 'file' }, async ({ openWorld }, { onCleanup }) => {
    const world = await openWorld();
    onCleanup(() => world.close());
    return world;
  })
  .extend('world', ({ sharedWorld }, { onCleanup }) => {
    onCleanup(() => sharedWorld.removeThreads());
    return sharedWorld;
  })
  /** What the database announces of threads. */
  .extend('changes', { scope: 'file' }, async ({ sharedWorld }, { onCleanup }) => {
    const changes = await Spy.open(sharedWorld.storage.url, ['response_changed']);
    onCleanup(() => changes.close());
    return changes;
  });

/**
 * Edits and selections of branches whose transactions overlap with each other, and with what else moves a thread. Whoever waits
 * for the thread's lock sees messages as they were before; it must then change nothing, or what follows from the new ones.
 */
import { describe, expect, it } from 'vitest';
import { ChoiceNotOpenError } from '../../../../src/errors.js';
import { createId } from '../../../../src/ids.js';
import { findVariant, type Variant } from '../../../../src/modules/messages/branches/find-variant.js';
import { selectVariantIf } from '../../../../src/modules/messages/branches/select-variant.js';
import { sendVariant, sendVariantIf } from '../../../../src/modules/messages/branches/send-variant.js';
import type { ContentBlock } from '../../../../src/modules/messages/content.js';
import { readNewest } from '../../../../src/modules/messages/newest-messages.js';
import { answerChoice } from '../../../../src/modules/messages/sending/answer-choice.js';
import { keyedRequest } from '../../../../src/modules/messages/sending/idempotency.js';
import { sendMessageIf } from '../../../../src/modules/messages/sending/post-message.js';
import type { PostedMessage } from '../../../../src/modules/messages/sending/posted-message.js';
import { claim } from '../../../../src/modules/responses/protocol/claim.js';
import { settle } from '../../../../src/modules/responses/protocol/settle.js';
import { workerNamed } from '../protocol-world.js';
import { type Act, openedLanes, overlap } from './lane.js';

const stage = openedLanes();
const world = () => stage().world;
const lanes = () => stage().lanes;

const request = () => keyedRequest(world().viewer, 'test', { key: null, body: null });

async function finish(): Promise<void> {
  const [run] = await claim(world().database, workerNamed('ann'), 1);
  await world().end(run ?? expect.fail('nothing was claimed'));
}

/** A thread at rest with a message and its answer. */
async function answered(): Promise<PostedMessage> {
  const posted = await world().ask();
  await finish();
  return posted;
}

/** A thread at rest whose first message has two variants, of which the second is selected. */
async function branched() {
  const { threadId, messageId } = await answered();
  const posted = await sendVariant(world().database, request(), { messageId, text: 'Hello' });
  await finish();
  return { threadId, first: messageId, second: posted.messageId };
}

const found = (messageId: string): Promise<Variant> => findVariant(world().database, world().viewer, messageId);

const edits =
  (replaced: Variant, text: string): Act =>
  (database) =>
    sendVariantIf(database, request(), { replaced, text });

const selects =
  (variant: Variant): Act =>
  (database) =>
    selectVariantIf(database, world().viewer, variant);

const sends =
  (threadId: string): Act =>
  (database) =>
    sendMessageIf(database, request(), { threadId, text: 'And then?', from: ['ready'] });

async function outline(threadId: string): Promise<string[]> {
  const messages = await readNewest(world().database, { threadId, bytes: 1_000_000 });
  return messages.map(({ role, contents: [block] }) => `${role}: ${block?.type === 'text' && block.text}`);
}

type Branched = Awaited<ReturnType<typeof branched>>;

const steps = {
  edit: async ({ second }: Branched) => edits(await found(second), 'Good day'),
  selection: async ({ first }: Branched) => selects(await found(first)),
  message: async ({ threadId }: Branched) => sends(threadId),
};
const [older, newer, edited] = [
  ['user: Hi', 'assistant: epoch 1'],
  ['user: Hello', 'assistant: epoch 2'],
  ['user: Good day'],
];
const then = 'user: And then?';
const isPosted = expect.objectContaining({ threadId: expect.any(String) });

it.each<[keyof typeof steps, keyof typeof steps, outcome: unknown, outline: string[]]>([
  ['message', 'edit', null, [...newer, then]],
  ['edit', 'message', null, edited],
  ['edit', 'edit', null, edited],
  ['selection', 'edit', null, older],
  ['message', 'selection', false, [...newer, then]],
  ['selection', 'message', isPosted, [...older, then]],
  ['edit', 'selection', false, edited],
  ['selection', 'selection', false, older],
])('one %s that holds the thread, and one %s that waits for it', async (before, after, outcome, expected) => {
  const thread = await branched();
  const [first, second] = await overlap(lanes(), await steps[before](thread), await steps[after](thread));
  expect([first, second]).toEqual([before === 'selection' ? true : isPosted, outcome]);
  expect(await outline(thread.threadId)).toEqual(expected);
});

describe('an edit', () => {
  it('is claimed only after it is stored, with its own branch', async () => {
    const { threadId, messageId } = await answered();
    await lanes()[0].start(edits(await found(messageId), 'Hello'));
    expect(await claim(world().database, workerNamed('ann'), 1)).toEqual([]);
    await lanes()[0].commit();
    const [run] = await claim(world().database, workerNamed('ann'), 1);
    expect(run?.threadId).toBe(threadId);
    expect(await outline(threadId)).toEqual(['user: Hello']);
  });

  it('that was read before a claim changes nothing while the response runs, nor after it', async () => {
    const { threadId, messageId } = await answered();
    const variant = await found(messageId);
    await world().askAgain(threadId);
    const [run] = await claim(world().database, workerNamed('ann'), 1);
    expect(await edits(variant, 'Hello')(world().database)).toBeNull();
    await world().end(run ?? expect.fail('nothing was claimed'));
    expect(await edits(variant, 'Hello')(world().database)).toBeNull();
    expect(await outline(threadId)).toHaveLength(4);
  });
});

it('a selection leaves a question of the other branch no answer that is sent meanwhile', async () => {
  const { threadId, messageId } = await answered();
  const posted = await sendVariant(world().database, request(), { messageId, text: 'Hello' });
  const [run] = await claim(world().database, workerNamed('ann'), 1);
  const asks: ContentBlock = { type: 'user_get_choice', toolUseId: 'call', question: 'Which?', choices: ['Tea'] };
  const usage = { model: 'test', inputTokens: 1, outputTokens: 2 };
  const answer = { id: createId('msg'), contents: [asks] };
  const ended = { outcome: { status: 'succeeded' } as const, answer, usage };
  await settle(world().database, { run: run ?? expect.fail('nothing was claimed'), ...ended });
  const choice = { threadId, toolUseId: 'call', choice: 'Tea' };
  const variant = await found(messageId);
  const answers: Act = (database) => answerChoice(database, request(), choice).catch((error: unknown) => error);
  const [, second] = await overlap(lanes(), selects(variant), answers);
  expect(second).toBeInstanceOf(ChoiceNotOpenError);
  // The question is open again once its branch is selected.
  await selectVariantIf(world().database, world().viewer, await found(posted.messageId));
  expect(await answerChoice(world().database, request(), choice)).toMatchObject({ threadId });
});

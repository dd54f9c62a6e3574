/** The state of a conversation, whatever reaches the page, in whatever order: late, twice, or never. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowsOf } from '../../../../src/web/conversation/messages/rows.js';
import { type ConversationState, unopened } from '../../../../src/web/conversation/store/conversation-state.js';
import { type MessageWindow, textOf } from '../../../../src/web/conversation/store/message-window.js';
import { reduce } from '../../../../src/web/conversation/store/reduce.js';
import { propertyRuns } from '../../../support/case-counts.js';
import { World } from './conversation-world.js';

const steps = {
  deliver: (world: World, number: number) => world.deliver(number, false),
  repeat: (world: World, number: number) => world.deliver(number, true),
  serve: (world: World, number: number) => world.serve(number),
  refresh: (world: World) => world.refresh(),
  'open at a message': (world: World, number: number) => world.openAt(number),
  'scroll up': (world: World) => world.approach('older'),
  'scroll down': (world: World) => world.approach('newer'),
  'go to the end': (world: World) => world.dispatch({ type: 'sought', messageId: null }),
  leave: (world: World) => world.dispatch({ type: 'left' }),
  'come back': (world: World) => world.dispatch({ type: 'shown' }),
  send: (world: World) => world.send(null),
  edit: (world: World, number: number) => world.send(number),
  decide: (world: World, number: number) => world.decide(number),
  'another person sends': (world: World) => world.post(),
  'another person selects a branch': (world: World, number: number) => world.select(number),
  'another person renames': (world: World) => world.rename(),
  'the model writes': (world: World, number: number) => world.write(`${'abcdefgh'.slice(number % 8)} `),
  'the attempt is replaced': (world: World) => world.restart(),
  'the answer ends': (world: World, number: number) => world.finish(number % 4 === 0 ? 'stopped' : 'done'),
};
type Step = keyof typeof steps;
const often = [
  ...['deliver', 'deliver', 'deliver', 'serve', 'serve', 'refresh', 'the model writes', 'decide'],
  ...['open at a message', 'scroll down'],
] as const;

const history = fc.record({
  before: fc.integer({ min: 0, max: 12 }),
  steps: fc.array(fc.tuple(fc.constantFrom(...often, ...(Object.keys(steps) as Step[])), fc.nat({ max: 30 })), {
    minLength: 20,
    maxLength: 120,
  }),
});

/** A world in which a thread with some answers is open, or one that has just been created with its first message. */
function opened(before: number): World {
  const world = new World();
  for (let turn = 0; turn < before; turn += 1) {
    world.post();
    world.write(`answer ${turn}`);
    world.finish('done');
  }
  world.mail.length = 0;
  if (before === 0) {
    world.dispatch({ type: 'messageSent', key: 'first', text: 'the first', attachmentNames: [], replaced: null });
    world.dispatch({ type: 'messageAccepted', key: 'first', messageId: world.post('the first') ?? '' });
  }
  world.dispatch({ type: 'shown' });
  return world;
}

/** What showed a message twice: it was stored before an edit that was sent first, and another branch was selected in between. */
const storedBeforeEdit: [Step, number][] = [
  ...(['another person sends', 'open at a message', 'serve', 'deliver', 'deliver', 'the answer ends'] as const),
  ...(['edit', 'send', 'another person selects a branch', 'the answer ends', 'decide', 'refresh', 'serve'] as const),
].map((step) => [step, step === 'decide' ? 1 : step === 'open at a message' ? 4 : 0]);

/** Five thousand histories take half a minute, and several beside other files of the stress tests. */
const patience = { timeout: 600_000 };

describe('the state of a conversation', () => {
  it('neither loses nor doubles a message, nor shows text of an attempt that was replaced', patience, () => {
    fc.assert(
      fc.property(history, (given) => {
        const world = opened(given.before);
        for (const [step, number] of given.steps) {
          const before = world.state;
          steps[step](world, number);
          expectTruth(world, before);
        }
        world.settle();
        expectTruth(world, world.state);
        expectCurrent(world);
      }),
      { numRuns: propertyRuns(5000), examples: [[{ before: 2, steps: [...storedBeforeEdit, ['deliver', 6]] }]] },
    );
  });

  it('shows a message that repeats the one before it, which is not loaded yet, until it is loaded itself', () => {
    const world = opened(1);
    const send = (key: string) =>
      world.dispatch({ type: 'messageSent', key, text: 'go on', attachmentNames: [], replaced: null });
    const accept = (key: string) =>
      world.dispatch({ type: 'messageAccepted', key, messageId: world.post('go on') ?? '' });
    const load = () => {
      world.refresh();
      world.serve(0);
      while (world.mail.length > 0) world.deliver(0, false);
    };
    const shown = () => rowsOf(world.state, undefined).map(({ kind }) => kind);
    load();
    send('first');
    accept('first');
    world.finish('done');
    send('second');
    expect(shown().slice(-3)).toEqual(['pending', 'live', 'pending']);
    load();
    load();
    expect(world.state.pending).toMatchObject([{ key: 'second', messageId: null }]);
    expect(shown().slice(-3)).toEqual(['message', 'message', 'pending']);
    accept('second');
    load();
    expect(world.state.pending).toEqual([]);
  });

  it('is the same after the same events', () => {
    fc.assert(
      fc.property(history, (given) => {
        const world = opened(given.before);
        for (const [step, number] of given.steps) steps[step](world, number);
        expect(world.events.reduce(reduce, unopened)).toEqual(world.state);
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

function idsOf({ messages }: MessageWindow): string[] {
  return messages.map(({ id }) => id);
}

/** What holds after every step. `before` is the state before it. */
function expectTruth(world: World, before: ConversationState): void {
  const { shown, newest, branchVersion, status, pending } = world.state;
  const branch = (world.branches[branchVersion] ?? []).map(({ id }) => id);
  for (const window of [shown, newest]) {
    const ids = idsOf(window);
    const start = branch.indexOf(ids[0] ?? '');
    expect(ids).toEqual(ids.length === 0 ? [] : branch.slice(start, start + ids.length));
    if (ids.length > 0 && !window.hasOlder) expect(start).toBe(0);
  }
  if (!shown.hasNewer) expect(shown).toBe(newest);
  const cutting = pending.find(({ cut }) => cut !== null);
  const isCut = cutting !== undefined && before.pending.every(({ key }) => key !== cutting.key);
  const endOf = (window: MessageWindow) => branch.indexOf(idsOf(window).at(-1) ?? '');
  if (branchVersion === before.branchVersion && !isCut)
    expect(endOf(newest)).toBeGreaterThanOrEqual(endOf(before.newest));
  // Nothing from before a branch is shown after it.
  if (cutting?.cut?.branchVersion === branchVersion) expect(idsOf(newest).at(-1) ?? null).toBe(cutting.after);
  const event = world.events.at(-1);
  const isLoad = event?.type === 'opened' || event?.type === 'caughtUp';
  const isLate = isLoad && before.thread && event.thread.updatedAt < before.thread.updatedAt;
  if (isLate && before.status === 'ready') expect(branchVersion).toBe(before.branchVersion);
  if (status === 'ready') expectNothingTwice(world.state);
  expectSent(world, before);
  expectAnswer(world, before);
}

function expectNothingTwice(state: ConversationState): void {
  const rows = rowsOf(state, undefined);
  const seen = rows.flatMap((row) => {
    if (row.kind === 'message') return textOf(row.message);
    return row.kind === 'pending' ? row.pending.text : [];
  });
  const texts = seen.filter((text) => /^(sent|theirs)/.test(text));
  expect(new Set(texts).size).toBe(texts.length);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
}

/** Messages that were sent are pending in their order, each until it is refused, loaded or cut off. */
function expectSent({ state, branches, events }: World, before: ConversationState): void {
  const event = events.at(-1);
  const isSending = event?.type === 'messageSent' && event.key !== before.pending.at(-1)?.key;
  const was = isSending && event.replaced !== null ? [] : before.pending;
  const gone = was.filter(({ key }) => state.pending.every((message) => message.key !== key));
  const stay = was.filter((message) => !gone.includes(message)).map(({ key }) => key);
  expect(state.pending.map(({ key }) => key)).toEqual(isSending ? [...stay, event.key] : stay);
  for (const { key, messageId } of gone) {
    if (event?.type === 'messageRefused' && event.key === key) continue;
    const isOfBranch = branches[state.branchVersion]?.some(({ id }) => id === messageId);
    expect([key, messageId]).not.toEqual([key, null]);
    expect(idsOf(state.newest).includes(messageId ?? '')).toBe(isOfBranch);
  }
}

function expectAnswer({ state: { live }, answers }: World, before: ConversationState): void {
  if (!live?.position) {
    expect(live?.text ?? '').toBe('');
    return;
  }
  const { attempts = [] } = answers.get(live.messageId) ?? {};
  const [attempt, length] = placeOf(live.position);
  expect(live.text).toBe(attempts[attempt]?.slice(0, length));
  if (before.live?.messageId !== live.messageId || !before.live.position) return;
  const [attemptBefore, lengthBefore] = placeOf(before.live.position);
  expect(attempt).toBeGreaterThanOrEqual(attemptBefore);
  if (attempt === attemptBefore) expect(length).toBeGreaterThanOrEqual(lengthBefore);
}

function placeOf(position: string): [number, number] {
  const [attempt, length] = position.split('-');
  return [Number(attempt), length === 'end' ? Number.POSITIVE_INFINITY : Number(length)];
}

/** What holds when everything has arrived. */
function expectCurrent(world: World): void {
  const { state, branch, busy, answers } = world;
  expect(state).toMatchObject({ status: 'ready', pending: [], branchVersion: world.branches.length - 1 });
  expect(idsOf(state.newest).at(-1)).toBe(branch.at(-1)?.id);
  expect(state.live?.messageId).toBe(busy ?? undefined);
  if (busy) expect(state.live?.text).toBe(answers.get(busy)?.attempts.at(-1));
  const stopped = rowsOf({ ...state, shown: state.newest }, undefined).filter(({ kind }) => kind === 'stopped');
  const asked = new Set(state.newest.messages.map(({ id, replyToId }) => replyToId ?? id));
  expect(stopped).toHaveLength([...asked].filter((id) => answers.get(id)?.end === 'stopped').length);
}

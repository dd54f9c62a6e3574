/** Random sends, edits, regenerations, selections, stops and failures, against a model: REST shows exactly the active branch. */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { ThreadStateName } from '../../../src/contract.js';
import { createId } from '../../../src/ids.js';
import { selectVariant } from '../../../src/modules/messages/branches/select-variant.js';
import { sendVariant } from '../../../src/modules/messages/branches/send-variant.js';
import { keyedRequest } from '../../../src/modules/messages/sending/idempotency.js';
import { sendMessage } from '../../../src/modules/messages/sending/post-message.js';
import { claim } from '../../../src/modules/responses/protocol/claim.js';
import { settle } from '../../../src/modules/responses/protocol/settle.js';
import { requestStop } from '../../../src/modules/responses/protocol/stop.js';
import { propertyRuns } from '../../support/case-counts.js';
import type { GraphQLClient } from '../../support/clients/graphql-client.js';
import type { MessageBody, PageBody, ThreadBody } from '../../support/clients/rest-types.js';
import { serviceTest } from '../../support/fixtures/service.js';
import { type Person, type TestService, withoutWorker } from '../../support/service.js';
import { lease } from '../protocol/protocol-world.js';

interface Variant {
  id: string;
  text: string;
  answer: string | null;
  next: Turn | null;
}

interface Turn {
  variants: Variant[];
  selected: number;
}

class ConversationTree {
  state: ThreadStateName = 'ready';
  /** How often another branch became the active one. */
  branchVersion = 0;
  readonly #first: Turn;
  readonly #all: Variant[] = [];

  constructor(message: { id: string; text: string }) {
    this.#first = { variants: [this.#variant(message)], selected: 0 };
  }

  /** The turns of the active branch, in order. */
  get turns(): Turn[] {
    const turns: Turn[] = [];
    for (let turn: Turn | null = this.#first; turn; turn = selectedOf(turn).next) turns.push(turn);
    return turns;
  }

  /** The selected variants of the active branch. */
  get path(): Variant[] {
    return this.turns.map(selectedOf);
  }

  /** The messages of the active branch, as `role: text`. */
  get outline(): string[] {
    return this.path.flatMap(({ text, answer }) => [
      `user: ${text}`,
      ...(answer === null ? [] : [`assistant: ${answer}`]),
    ]);
  }

  /** All messages there are, on any branch. */
  get messages(): number {
    return this.#all.reduce((sum, { answer }) => sum + (answer === null ? 1 : 2), 0);
  }

  send(message: { id: string; text: string }): void {
    const last = this.path.at(-1);
    if (last) last.next = { variants: [this.#variant(message)], selected: 0 };
  }

  /** Adds a variant to a turn of the active branch, and selects it. */
  branch(turn: Turn, message: { id: string; text: string }): void {
    turn.variants.push(this.#variant(message));
    turn.selected = turn.variants.length - 1;
    this.branchVersion += 1;
  }

  select(turn: Turn, index: number): void {
    if (index === turn.selected) return;
    turn.selected = index;
    this.state = 'ready';
    this.branchVersion += 1;
  }

  #variant({ id, text }: { id: string; text: string }): Variant {
    const variant = { id, text, answer: null, next: null };
    this.#all.push(variant);
    return variant;
  }
}

function selectedOf({ variants, selected }: Turn): Variant {
  const variant = variants[selected];
  if (!variant) throw new Error('the turn has no such variant');
  return variant;
}

const it = serviceTest(withoutWorker);

/** How the response to a message ends: a stop comes while it is queued, or while it runs. */
const outcomes = ['succeed', 'succeed', 'succeed', 'stop queued', 'stop running', 'fail'] as const;
type Ending = (typeof outcomes)[number];

interface Step {
  verb: 'send' | 'edit' | 'regenerate' | 'select';
  turn: number;
  variant: number;
  ending: Ending;
}

const steps = fc.array(
  fc.record<Step>({
    verb: fc.constantFrom('send', 'edit', 'edit', 'regenerate', 'select', 'select'),
    turn: fc.nat({ max: 7 }),
    variant: fc.nat({ max: 7 }),
    ending: fc.constantFrom(...outcomes),
  }),
  { minLength: 3, maxLength: 14 },
);

const variantsDocument = `query ($id: ID!) { thread(id: $id) { branchVersion messages(first: 200) {
  edges { node { id active variants { position count previousId nextId } } } } } }`;

class Stage {
  #texts = 0;
  readonly #graphql: GraphQLClient;

  constructor(
    readonly service: TestService,
    readonly ada: Person,
    readonly threadId: string,
    readonly tree: ConversationTree,
  ) {
    this.#graphql = ada.graphql;
  }

  static async open(service: TestService, ada: Person, first: Ending): Promise<Stage> {
    const { threadId, messageId } = await ada.rest.createThread({ text: 'text 0' });
    const stage = new Stage(service, ada, threadId, new ConversationTree({ id: messageId, text: 'text 0' }));
    await stage.end(first);
    return stage;
  }

  get database() {
    return this.service.database;
  }

  async take(step: Step): Promise<void> {
    const { tree, database, threadId } = this;
    const viewer = await this.service.viewerOf(this.ada);
    const request = keyedRequest(viewer, 'test', { key: null, body: null });
    const turn = tree.turns[step.turn % tree.turns.length] ?? expect.fail('there is no turn');
    const { id: messageId, text } = selectedOf(turn);
    if (step.verb === 'select') {
      const index = step.variant % turn.variants.length;
      await selectVariant(database, viewer, turn.variants[index]?.id ?? '');
      tree.select(turn, index);
      return;
    }
    if (step.verb === 'send') {
      const message = { text: this.#nextText(), threadId, from: ['ready', 'interrupted'] as const };
      tree.send({ id: (await sendMessage(database, request, message)).messageId, text: message.text });
    } else {
      const edited = step.verb === 'edit' ? this.#nextText() : null;
      const posted = await sendVariant(database, request, { messageId, text: edited });
      tree.branch(turn, { id: posted.messageId, text: edited ?? text });
    }
    await this.end(step.ending);
  }

  /** Ends the response that is queued. */
  async end(ending: Ending): Promise<void> {
    const { database, tree, threadId } = this;
    const asked = tree.path.at(-1) ?? expect.fail('nothing was asked');
    const viewer = await this.service.viewerOf(this.ada);
    const stop = { viewer, messageId: asked.id, reason: 'Ada stopped it.' };
    if (ending === 'stop queued') await requestStop(database, stop);
    else {
      const runs = await claim(database, { id: 'ann', lease }, 1);
      const run = runs.find((claimed) => claimed.threadId === threadId) ?? expect.fail('nothing was claimed');
      if (ending === 'stop running') await requestStop(database, stop);
      asked.answer = `answer to ${asked.text} in epoch ${run.epoch}`;
      const answer = { id: createId('msg'), contents: [{ type: 'text' as const, text: asked.answer }] };
      const usage = { model: 'test', inputTokens: 1, outputTokens: 2 };
      const failed = { status: 'failed', errorCode: 'model_failed', errorMessage: 'It broke.' } as const;
      const outcome = ending === 'succeed' ? ({ status: 'succeeded' } as const) : failed;
      await settle(database, { run, outcome, answer, usage });
    }
    tree.state = ending === 'succeed' ? 'ready' : ending === 'fail' ? 'error' : 'interrupted';
  }

  async check(): Promise<void> {
    const { tree, ada, threadId, database } = this;
    const { body } = await ada.rest.get<PageBody<MessageBody>>(`/threads/${threadId}/messages?limit=200`);
    expect(body.data.map(({ role, contents: [block] }) => `${role}: ${block?.type === 'text' && block.text}`)).toEqual(
      tree.outline,
    );
    const { body: thread } = await ada.rest.get<ThreadBody>(`/threads/${threadId}`);
    expect(thread.state).toBe(tree.state);
    const stored = await database.message.findMany({ where: { threadId }, orderBy: { sequence: 'asc' } });
    expect(stored, 'no message is lost').toHaveLength(tree.messages);
    expect(stored.every(({ active, hiddenWithId }) => active === (hiddenWithId === null))).toBe(true);
    await this.#checkVariants();
  }

  async #checkVariants(): Promise<void> {
    const { tree, threadId } = this;
    const { thread } = await this.#graphql.data(variantsDocument, { id: threadId });
    expect(thread.branchVersion).toBe(tree.branchVersion);
    const shown = thread.messages.edges.map(({ node }) => node);
    expect(shown.every(({ active }) => active)).toBe(true);
    for (const { variants, selected } of tree.turns) {
      const ids = variants.map(({ id }) => id);
      const variant = shown.find(({ id }) => id === ids[selected]) ?? expect.fail('the variant is not shown');
      const [previousId, nextId] = [ids[selected - 1] ?? null, ids[selected + 1] ?? null];
      const expected = { position: selected + 1, count: ids.length, previousId, nextId };
      expect(variant.variants).toEqual(ids.length === 1 ? null : expected);
    }
  }

  #nextText(): string {
    this.#texts += 1;
    return `text ${this.#texts}`;
  }
}

describe('a conversation with branches', () => {
  it('shows exactly the active branch, loses no message, and follows the model', async ({ service, ada }) => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...outcomes), steps, async (first, taken) => {
        const stage = await Stage.open(service, ada, first);
        await stage.check();
        for (const step of taken) {
          // Nothing leaves `error`.
          if (stage.tree.state === 'error') return;
          await stage.take(step);
          await stage.check();
        }
      }),
      { numRuns: propertyRuns(100) },
    );
  }, 120_000);
});

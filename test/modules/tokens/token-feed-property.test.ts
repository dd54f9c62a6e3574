/** Each viewer gets the whole text, whatever the attempts generate and however viewers come and go meanwhile. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';
import type { TokenFeed } from '../../../src/process/token-feed.js';
import { type FeedViewer, Speaker } from './feed-viewer.js';
import { describeFeeds, type FeedWorld } from './feed-world.js';
import { merged, textIn } from './token-entries.js';

const node = fc.constantFrom('a' as const, 'b' as const);
const kind = fc.constantFrom('text' as const, 'text' as const, 'thinking' as const);
const piece = fc.constantFrom('a', 'word ', '漢字', '😀', '"\\\n', 'long '.repeat(2000));
const action = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('say' as const), kind, text: piece }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('join' as const), node }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const), viewer: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('replace' as const), node }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('zombie' as const), speaker: fc.nat(), ends: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cut' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lose' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

class Conversation {
  readonly #world: FeedWorld;
  readonly #speakers: Speaker[];
  /** Text of the current attempt. */
  #said: TokenEntry[] = [];
  #viewers: FeedViewer[] = [];

  constructor(world: FeedWorld) {
    this.#world = world;
    this.#speakers = [new Speaker({ feed: world.a })];
  }

  get #speaker(): Speaker {
    const speaker = this.#speakers.at(-1);
    if (!speaker) throw new Error('nobody speaks');
    return speaker;
  }

  async act(step: Action): Promise<void> {
    if (step.do === 'say') this.#say(step);
    else if (step.do === 'join') this.#join(this.#world[step.node]);
    else if (step.do === 'flush') await this.#flush();
    else if (step.do === 'leave') this.#viewers.splice(step.viewer % (this.#viewers.length || 1), 1)[0]?.reader.close();
    else if (step.do === 'replace') this.#replace(this.#world[step.node]);
    else if (step.do === 'zombie') this.#zombie(step);
    else if (step.do === 'cut') await this.#world.cutConnections();
    else this.#world.loseAnswer();
    for (const viewer of this.#viewers) {
      const { epoch } = this.#speaker;
      expect(textIn(this.#said).startsWith(viewer.text(epoch))).toBe(true);
    }
  }

  async conclude(): Promise<void> {
    this.#join(this.#world.a);
    this.#join(this.#world.b);
    // A viewer who has this text has all of the text before it, thinking too.
    this.#say({ kind: 'text', text: 'the end' });
    const { epoch } = this.#speaker;
    const said = textIn(this.#said);
    for (const viewer of this.#viewers) await viewer.sees(said, epoch);
    for (const viewer of this.#viewers) {
      expect(merged(viewer.read({ epoch, thinkingToo: true }))).toEqual(merged(this.#said));
      for (let older = 1; older < epoch; older += 1) expect(viewer.text(older)).toBe('');
      viewer.reader.close();
    }
    this.#speaker.end();
  }

  #say({ kind: saidKind, text }: TokenEntry): void {
    this.#said.push({ kind: saidKind, text });
    this.#speaker.tell({ kind: saidKind, text });
  }

  #join(feed: TokenFeed): void {
    this.#viewers.push(this.#speaker.seenOn(feed));
  }

  async #flush(): Promise<void> {
    const { epoch } = this.#speaker;
    const said = textIn(this.#said);
    const viewer = this.#speaker.seenOn(this.#world.b);
    await viewer.sees(said, epoch);
    viewer.reader.close();
  }

  #replace(feed: TokenFeed): void {
    this.#speakers.push(this.#speaker.replacedBy(feed));
    this.#said = [];
  }

  #zombie({ speaker, ends }: { speaker: number; ends: boolean }): void {
    const zombie = this.#speakers[speaker % this.#speakers.length];
    if (!zombie || zombie === this.#speaker) return;
    zombie.say('zombie');
    if (ends) zombie.end();
  }
}

describeFeeds('any token feed, any interleaving', (world) => {
  it('shows every viewer the whole text, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 5, maxLength: 30, size: 'max' }), async (actions) => {
        const conversation = new Conversation(world());
        for (const step of actions) await conversation.act(step);
        await conversation.conclude();
      }),
      { numRuns: 15, endOnFailure: true },
    );
  }, 180_000);
});

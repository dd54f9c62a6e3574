/** What every feed does when its way to the other node breaks: nothing is lost, nothing comes twice, the order stays. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FeedViewer, patience, Speaker } from './feed-viewer.js';
import { type FeedWorld, feedKinds } from './feed-world.js';

for (const { kind, start, skip } of feedKinds) {
  describe.skipIf(skip)(`a broken token feed › ${kind}`, () => {
    let world: FeedWorld;
    beforeAll(async () => {
      world = await start();
    });
    afterAll(() => world?.stop());

    it('does not duplicate text that is resent after a lost answer', async () => {
      const speaker = new Speaker({ feed: world.a }).say('once ');
      const viewer = speaker.seenOn(world.b);
      await viewer.sees('once ');
      const lost = world.loseAnswer();
      speaker.say('twice ');
      await vi.waitFor(() => expect(lost()).toBe(1), patience);
      speaker.say('and again');
      await viewer.sees('once twice and again');
      const late = speaker.seenOn(world.b);
      speaker.end();
      await viewer.seesTheEnd('once twice and again');
      expect(late.text()).toBe('once twice and again');
    });

    it('fills the gap after its connections were cut', async () => {
      const speaker = new Speaker({ feed: world.a }).say('before ');
      const viewer = speaker.seenOn(world.b);
      await viewer.sees('before ');
      for (const word of ['one ', 'two ', 'three ']) {
        await world.cutConnections();
        speaker.say(word);
      }
      await viewer.sees('before one two three ');
      speaker.say('after');
      await viewer.sees('before one two three after');
    });

    it('shows everything to a viewer who joins while it is disconnected', async () => {
      const speaker = new Speaker({ feed: world.a }).say('before ');
      await speaker.seenOn(world.b).sees('before ');
      const other = new Speaker({ feed: world.a }).say('other');
      await world.cutConnections();
      const viewer = new FeedViewer(world.b, other.responseId);
      await viewer.sees('other');
    });
  });
}

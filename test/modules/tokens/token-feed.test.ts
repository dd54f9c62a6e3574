/** What every feed gives the viewers of another node: one suite, whatever carries the tokens. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TokenEntry } from '../../../src/modules/tokens/log/attempt-text.js';
import { Speaker } from './feed-viewer.js';
import { type FeedWorld, feedKinds } from './feed-world.js';
import { isWellFormed, merged, textIn } from './token-entries.js';

for (const { kind, start, skip } of feedKinds) {
  describe.skipIf(skip)(`the token feed › ${kind}`, () => {
    let world: FeedWorld;
    beforeAll(async () => {
      world = await start();
    });
    afterAll(() => world?.stop());

    it('delivers the tokens in order, as they arrive', async () => {
      const speaker = new Speaker({ feed: world.a });
      const viewer = speaker.seenOn(world.b);
      let said = '';
      for (let number = 0; number < 60; number += 1) {
        speaker.say(`${number} `);
        said += `${number} `;
        if (number % 20 === 0) await viewer.sees(said);
      }
      await viewer.sees(said);
    });

    it('gives a late viewer everything, in few chunks', async () => {
      const words = Array.from({ length: 5000 }, (_, number) => `word ${number} `);
      const speaker = new Speaker({ feed: world.a }).say(...words);
      const viewer = speaker.seenOn(world.b);
      await viewer.sees(words.join(''));
      const chunks = viewer.read();
      expect(Math.max(...chunks.map(({ text }) => Buffer.byteLength(text)))).toBeLessThanOrEqual(16 * 1024);
      expect(chunks.length).toBeLessThan(8);
    });

    it('shows two viewers the same, from any position', async () => {
      const said = 'Grüße 😀, 漢字 and more';
      const speaker = new Speaker({ feed: world.a }).say(...said);
      const [one, two] = [speaker.seenOn(world.b), speaker.seenOn(world.b)];
      await one.sees(said);
      expect(two.read({ maxBytes: 6 })).toEqual(one.read({ maxBytes: 6 }));
      for (let from = 0; from <= said.length; from += 1) {
        const start = isWellFormed(said.slice(from)) ? from : from - 1;
        expect(textIn(two.read({ text: from }))).toBe(said.slice(start));
      }
    });

    it('keeps thinking apart from text, and both in their order', async () => {
      const entries: TokenEntry[] = [
        { kind: 'thinking', text: 'hm ' },
        { kind: 'text', text: 'So' },
        { kind: 'thinking', text: 'but ' },
        { kind: 'thinking', text: 'then' },
        { kind: 'text', text: ' it is.' },
      ];
      const speaker = new Speaker({ feed: world.a });
      const viewer = speaker.seenOn(world.b);
      for (const entry of entries) speaker.tell(entry);
      await viewer.sees('So it is.');
      expect(merged(viewer.read({ thinkingToo: true }))).toEqual(merged(entries));
      const late = speaker.seenOn(world.b);
      expect(merged(late.read())).toEqual([{ kind: 'text', text: 'So it is.' }]);
    });

    it('never shows half a character, however small the chunks', async () => {
      const said = 'a😀漢😀😀"\\\n\u2028\u0001é';
      const speaker = new Speaker({ feed: world.a }).say(...said);
      const viewer = speaker.seenOn(world.b);
      await viewer.sees(said);
      for (const maxBytes of [6, 7, 8, 9]) {
        const chunks = viewer.read({ maxBytes });
        expect(textIn(chunks)).toBe(said);
        expect(chunks.filter(({ text }) => !isWellFormed(text) || Buffer.byteLength(text) > maxBytes)).toEqual([]);
      }
    });

    it('carries pieces of any size', async () => {
      const long = 'ä😀"\\\n'.repeat(30_000);
      const speaker = new Speaker({ feed: world.a }).say('a', long, 'b');
      await speaker.seenOn(world.b).sees(`a${long}b`);
    });

    it('reports the end', async () => {
      const speaker = new Speaker({ feed: world.a }).say('all of ');
      const viewer = speaker.seenOn(world.b);
      await viewer.sees('all of ');
      expect(viewer.reader.hasWholeText({ epoch: 1, text: 7, thinking: 0 })).toBe(false);
      const { revision } = viewer.reader;
      speaker.say('it');
      speaker.end();
      await viewer.seesTheEnd('all of it');
      expect(viewer.reader.revision).toBeGreaterThan(revision);
    });

    it('shows a new attempt without any text of the old one', async () => {
      const first = new Speaker({ feed: world.a }).say('the first');
      const viewer = first.seenOn(world.a);
      const other = first.seenOn(world.b);
      await other.sees('the first');
      const { revision } = other.reader;
      const second = first.replacedBy(world.b).say('the second');
      await Promise.all([viewer, other].map((each) => each.sees('the second', 2)));
      expect(other.text(1)).toBe('');
      expect(other.reader.revision).toBeGreaterThan(revision);
      second.end();
      await viewer.seesTheEnd('the second', 2);
    });

    it('refuses the text of a replaced worker', async () => {
      const zombie = new Speaker({ feed: world.a }).say('old');
      await zombie.seenOn(world.b).sees('old');
      const successor = zombie.replacedBy(world.b).say('new');
      const viewer = zombie.seenOn(world.a);
      await viewer.sees('new', 2);
      zombie.say(' and more of the old');
      zombie.end();
      successor.say('er');
      await viewer.sees('newer', 2);
      expect(zombie.seenOn(world.b).text(1)).toBe('');
      successor.end();
      await viewer.seesTheEnd('newer', 2);
    });

    it('keeps nothing of a response that nobody on this node follows any more', async () => {
      const speaker = new Speaker({ feed: world.a }).say('some');
      const viewer = speaker.seenOn(world.b);
      await viewer.sees('some');
      const held = world.b.log.stats().bytes;
      viewer.reader.close();
      speaker.say(' more');
      const another = new Speaker({ feed: world.a }).say('x');
      await another.seenOn(world.b).sees('x');
      const isLocal = world.a === world.b;
      expect(world.b.log.stats().bytes).toBe(isLocal ? held + ' morex'.length : held + 'x'.length - 'some'.length);
      await speaker.seenOn(world.b).sees('some more');
    });
  });
}

for (const { kind, start, skip } of feedKinds) {
  describe.skipIf(skip)(`the end of a feed › ${kind}`, () => {
    it('sends the remaining text', async () => {
      const world = await start();
      const speaker = new Speaker({ feed: world.a }).say('first');
      const viewer = speaker.seenOn(world.b);
      await viewer.sees('first');
      speaker.say(' and last');
      speaker.end();
      await world.a.close();
      await viewer.seesTheEnd('first and last');
      await world.stop();
    });
  });
}

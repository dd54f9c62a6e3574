/**
 * What every feed gives the viewers of another node, and what it does when its way to the other node breaks: one suite, whatever
 * carries the tokens. That the whole text comes, in order, of the newest attempt alone, is in `token-feed-property.test.ts`.
 */
import { expect, it, vi } from 'vitest';
import { FeedViewer, patience, Speaker } from './feed-viewer.js';
import { describeFeeds } from './feed-world.js';
import { isWellFormed, textIn } from './token-entries.js';

describeFeeds('the token feed', (world) => {
  it('gives a late viewer everything, in few chunks', async () => {
    const words = Array.from({ length: 5000 }, (_, number) => `word ${number} `);
    const speaker = new Speaker({ feed: world().a }).say(...words);
    const viewer = speaker.seenOn(world().b);
    await viewer.sees(words.join(''));
    const chunks = viewer.read();
    expect(Math.max(...chunks.map(({ text }) => Buffer.byteLength(text)))).toBeLessThanOrEqual(16 * 1024);
    expect(chunks.length).toBeLessThan(8);
  });

  it('shows two viewers the same, from any position', async () => {
    const said = 'Grüße 😀, 漢字 and more';
    const speaker = new Speaker({ feed: world().a }).say(...said);
    const [one, two] = [speaker.seenOn(world().b), speaker.seenOn(world().b)];
    await one.sees(said);
    expect(two.read({ maxBytes: 6 })).toEqual(one.read({ maxBytes: 6 }));
    for (let from = 0; from <= said.length; from += 1) {
      const start = isWellFormed(said.slice(from)) ? from : from - 1;
      expect(textIn(two.read({ text: from }))).toBe(said.slice(start));
    }
  });

  it('reports the end', async () => {
    const speaker = new Speaker({ feed: world().a }).say('all of ');
    const viewer = speaker.seenOn(world().b);
    await viewer.sees('all of ');
    expect(viewer.reader.hasWholeText({ epoch: 1, text: 7, thinking: 0 })).toBe(false);
    const { revision } = viewer.reader;
    speaker.say('it');
    speaker.end();
    await viewer.seesTheEnd('all of it');
    expect(viewer.reader.revision).toBeGreaterThan(revision);
  });

  it('shows a new attempt without any text of the old one', async () => {
    const first = new Speaker({ feed: world().a }).say('the first');
    const viewer = first.seenOn(world().a);
    const other = first.seenOn(world().b);
    await other.sees('the first');
    const { revision } = other.reader;
    const second = first.replacedBy(world().b).say('the second');
    await Promise.all([viewer, other].map((each) => each.sees('the second', 2)));
    expect(other.text(1)).toBe('');
    expect(other.reader.revision).toBeGreaterThan(revision);
    second.end();
    await viewer.seesTheEnd('the second', 2);
  });

  it('refuses the text of a replaced worker', async () => {
    const zombie = new Speaker({ feed: world().a }).say('old');
    await zombie.seenOn(world().b).sees('old');
    const successor = zombie.replacedBy(world().b).say('new');
    const viewer = zombie.seenOn(world().a);
    await viewer.sees('new', 2);
    zombie.say(' and more of the old');
    zombie.end();
    successor.say('er');
    await viewer.sees('newer', 2);
    expect(zombie.seenOn(world().b).text(1)).toBe('');
    successor.end();
    await viewer.seesTheEnd('newer', 2);
  });

  it('keeps nothing of a response that nobody on this node follows any more', async () => {
    const speaker = new Speaker({ feed: world().a }).say('some');
    const viewer = speaker.seenOn(world().b);
    await viewer.sees('some');
    const held = world().b.log.stats().bytes;
    viewer.reader.close();
    speaker.say(' more');
    const another = new Speaker({ feed: world().a }).say('x');
    await another.seenOn(world().b).sees('x');
    const isLocal = world().a === world().b;
    expect(world().b.log.stats().bytes).toBe(isLocal ? held + ' morex'.length : held + 'x'.length - 'some'.length);
    await speaker.seenOn(world().b).sees('some more');
  });

  it('sends the remaining text when it ends', async () => {
    const { a, b } = world();
    const speaker = new Speaker({ feed: a }).say('first');
    const viewer = speaker.seenOn(b);
    await viewer.sees('first');
    speaker.say(' and last');
    speaker.end();
    await a.close();
    await viewer.seesTheEnd('first and last');
  });
});

describeFeeds('a broken token feed', (world) => {
  it('does not duplicate text that is resent after a lost answer', async () => {
    const speaker = new Speaker({ feed: world().a }).say('once ');
    const viewer = speaker.seenOn(world().b);
    await viewer.sees('once ');
    const lost = world().loseAnswer();
    speaker.say('twice ');
    await vi.waitFor(() => expect(lost()).toBe(1), patience);
    speaker.say('and again');
    await viewer.sees('once twice and again');
    const late = speaker.seenOn(world().b);
    speaker.end();
    await viewer.seesTheEnd('once twice and again');
    expect(late.text()).toBe('once twice and again');
  });

  it('fills the gap after its connections were cut', async () => {
    const speaker = new Speaker({ feed: world().a }).say('before ');
    const viewer = speaker.seenOn(world().b);
    await viewer.sees('before ');
    for (const word of ['one ', 'two ', 'three ']) {
      await world().cutConnections();
      speaker.say(word);
    }
    await viewer.sees('before one two three ');
    speaker.say('after');
    await viewer.sees('before one two three after');
  });

  it('shows everything to a viewer who joins while it is disconnected', async () => {
    const speaker = new Speaker({ feed: world().a }).say('before ');
    await speaker.seenOn(world().b).sees('before ');
    const other = new Speaker({ feed: world().a }).say('other');
    await world().cutConnections();
    const viewer = new FeedViewer(world().b, other.responseId);
    await viewer.sees('other');
  });
});

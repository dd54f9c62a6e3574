/** What stands for the name of a thread until it has one. */
import fc from 'fast-check';
import { describe, expect, it as pure } from 'vitest';
import { openingOf } from '../../../src/modules/threads/opening.js';
import { signedIn } from '../../auth/people.js';
import { createThreadWith, textFile, uploadFile } from '../../graphql/attachments/attached-file.js';
import { feedbackPath } from '../../rest/messages/answered-message.js';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import type { Person } from '../../support/service.js';

describe('the beginning of a message', () => {
  pure.each([
    ['Hello', 'Hello'],
    ['\n\n  Tea   for\ttwo \nand more', 'Tea for two'],
    ['', null],
    [' \n\t ', null],
    ['word '.repeat(30), `${'word '.repeat(15).trim()}…`],
    ['x'.repeat(100), `${'x'.repeat(79)}…`],
    ['😀'.repeat(100), `${'😀'.repeat(79)}…`],
    ['👩‍👩‍👧 '.repeat(3), '👩‍👩‍👧 👩‍👩‍👧 👩‍👩‍👧'],
  ])('of %j is %j', (text, opening) => {
    expect(openingOf(text)).toBe(opening);
  });

  pure('is one line of at most 80 characters, none of which is half', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const opening = openingOf(text);
        expect(opening === null).toBe(text.trim() === '');
        expect(opening ?? '').not.toMatch(/[\n\r]/);
        expect(Array.from(opening ?? '').length).toBeLessThanOrEqual(80);
        expect((opening ?? '').isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('the title of a thread', () => {
  const titleOf = async ({ graphql }: Person, id: string) => {
    const { thread } = await graphql.data('query ($id: ID!) { thread(id: $id) { name title } }', { id });
    return thread;
  };

  it('is the beginning of its first message while it has no name, and REST has none', async ({ ada }) => {
    const { threadId } = await ada.rest.createThread({ text: 'Tea for two\nHow?' });
    expect(await titleOf(ada, threadId)).toEqual({ name: null, title: 'Tea for two' });
    expect((await ada.rest.get<ThreadBody>(`/threads/${threadId}`)).body.name).toBeNull();
    const named = await ada.rest.createThread({ text: 'Tea', name: 'Coffee' });
    expect(await titleOf(ada, named.threadId)).toEqual({ name: 'Coffee', title: 'Coffee' });
  });

  it('is the beginning of its first message while its name is blank, also in the list of ratings', async ({
    service,
  }) => {
    const ada = await service.person({ org: 'blank-names', role: 'admin' });
    for (const name of ['', ' \n ']) {
      const { threadId, messageId } = await ada.rest.createThread({ text: 'Tea for two', name });
      expect(await titleOf(ada, threadId)).toEqual({ name, title: 'Tea for two' });
      const [answer] = await ada.rest.answer({ threadId, messageId });
      await ada.rest.post(feedbackPath(threadId, String(answer?.id)), { positive: true });
    }
    const { feedback } = await (await signedIn(service, ada)).graphql('{ feedback { ratings { threadTitle } } }');
    expect(feedback?.ratings).toEqual([{ threadTitle: 'Tea for two' }, { threadTitle: 'Tea for two' }]);
  });

  it('is the name of the first file of a message that has files alone', async ({ service, ada }) => {
    const id = await uploadFile(service, ada, textFile('Oolong', 'menu.txt'));
    const { threadId } = await createThreadWith(service, ada, { text: '', attachmentIds: [id] });
    expect(await titleOf(ada, threadId)).toEqual({ name: null, title: 'menu.txt' });
  });
});

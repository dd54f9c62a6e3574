import { describe, expect } from 'vitest';
import { it as test } from '../../support/fixtures/service.js';
import type { Person } from '../../support/service.js';
import { type AnsweredMessage, answeredMessage, feedbackPath, ratingsOf } from './answered-message.js';
import { storeMessages } from './stored-messages.js';

/** With an answer that no test that uses it rates. */
const it = test
  .extend('unrated', { scope: 'file' }, ({ ada }) => answeredMessage(ada))
  .extend('message', ({ ada }) => answeredMessage(ada));

function rate(person: Person, { threadId, answerId }: AnsweredMessage, body: unknown) {
  return person.rest.post(feedbackPath(threadId, answerId), body);
}

describe('POST …/feedback › 204', () => {
  it('stores the rating and answers without a body', async ({ service, ada, message }) => {
    const { status, body, headers } = await rate(ada, message, { positive: true, feedback_text: 'Well said' });
    expect([status, body, headers.get('content-type')]).toEqual([204, undefined, null]);
    expect(await ratingsOf(service, message.answerId)).toEqual([{ userId: ada.id, positive: true, text: 'Well said' }]);
  });

  it('replaces the earlier rating of the same user, comment and all', async ({ service, ada, message }) => {
    for (const body of [{ positive: true, feedback_text: 'Fine' }, { positive: false }, { positive: false }]) {
      expect((await rate(ada, message, body)).status).toBe(204);
    }
    expect(await ratingsOf(service, message.answerId)).toEqual([{ userId: ada.id, positive: false, text: null }]);
  });

  it('keeps one of twenty concurrent ratings', async ({ service, ada, message }) => {
    const bodies = Array.from({ length: 20 }, (_, index) => ({ positive: index % 2 === 0, feedback_text: `${index}` }));
    const replies = await Promise.all(bodies.map((body) => rate(ada, message, body)));
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([204]));
    const [rating, ...more] = await ratingsOf(service, message.answerId);
    expect(more).toEqual([]);
    expect(rating?.positive).toBe(Number(rating?.text) % 2 === 0);
  });

  it('keeps one rating for each user and message', async ({ service, ada }) => {
    const colleague = await service.person();
    const [first, second] = [await answeredMessage(ada), await answeredMessage(ada)];
    await rate(ada, first, { positive: true });
    await rate(ada, second, { positive: false });
    expect((await rate(colleague, first, { positive: false, feedback_text: 'No' })).status).toBe(204);
    expect(await ratingsOf(service, first.answerId)).toEqual([
      { userId: ada.id, positive: true, text: null },
      { userId: colleague.id, positive: false, text: 'No' },
    ]);
    expect(await ratingsOf(service, second.answerId)).toEqual([{ userId: ada.id, positive: false, text: null }]);
  });

  it.for([
    ['nothing', ''],
    ['ten thousand characters', '💬'.repeat(10_000)],
  ] as const)('keeps a comment of %s as it is', async ([_name, comment], { service, ada, message }) => {
    await rate(ada, message, { positive: true, feedback_text: comment });
    expect((await ratingsOf(service, message.answerId))[0]?.text).toBe(comment);
  });
});

describe('POST …/feedback › 400', () => {
  it.for([
    ['no rating', {}, '/positive'],
    ['null', { positive: null }, '/positive'],
    ['a text', { positive: 'true' }, '/positive'],
    ['a number', { positive: 1 }, '/positive'],
    ['a comment that is a number', { positive: true, feedback_text: 5 }, '/feedback_text'],
    ['a comment that is null', { positive: true, feedback_text: null }, '/feedback_text'],
    ['a comment that is an object', { positive: true, feedback_text: {} }, '/feedback_text'],
    ['a comment too long', { positive: true, feedback_text: 'x'.repeat(10_001) }, '/feedback_text'],
    ['a comment with U+0000', { positive: true, feedback_text: '\u0000' }, '/feedback_text'],
    ['a comment with an unpaired surrogate', '{"positive":true,"feedback_text":"\\udc00"}', '/feedback_text'],
    ['a list as the body', [true], ''],
  ] as const)(
    'refuses %s, points at it, and stores nothing',
    async ([_name, body, pointer], { service, ada, unrated }) => {
      const reply = await rate(ada, unrated, body);
      expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request']);
      expect(reply.body.errors?.map((error) => error.pointer)).toEqual([pointer]);
      expect(await ratingsOf(service, unrated.answerId)).toEqual([]);
    },
  );

  it('refuses to rate a message that is not the assistant’s', async ({ service, ada }) => {
    const { threadId, questionId } = await answeredMessage(ada);
    const [summaryId] = await storeMessages(service, threadId, [{ role: 'summary' }]);
    for (const id of [questionId, String(summaryId)]) {
      const { status, body } = await ada.rest.post(feedbackPath(threadId, id), { positive: true });
      expect([status, body.code]).toEqual([400, 'not_an_answer']);
      expect(await ratingsOf(service, id)).toEqual([]);
    }
  });
});

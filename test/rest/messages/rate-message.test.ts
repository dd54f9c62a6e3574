import { describe, expect } from 'vitest';
import type { ThreadBody } from '../../support/clients/rest-types.js';
import { it } from '../../support/fixtures/service.js';
import type { Person } from '../../support/service.js';
import { type AnsweredMessage, answeredMessage, feedbackPath, ratingsOf } from './answered-message.js';

function rate(person: Person, { threadId, answerId }: AnsweredMessage, body: unknown) {
  return person.rest.post(feedbackPath(threadId, answerId), body);
}

describe('POST …/feedback › 204', () => {
  it('stores the rating and answers without a body', async ({ service, ada }) => {
    const message = await answeredMessage(ada);
    const { status, body, headers } = await rate(ada, message, { positive: true, feedback_text: 'Well said' });
    expect([status, body, headers.get('content-type')]).toEqual([204, undefined, null]);
    expect(await ratingsOf(service, message.answerId)).toEqual([{ userId: ada.id, positive: true, text: 'Well said' }]);
  });

  it('accepts a rating without a comment, up or down', async ({ service, ada }) => {
    const message = await answeredMessage(ada);
    expect((await rate(ada, message, { positive: false })).status).toBe(204);
    expect(await ratingsOf(service, message.answerId)).toEqual([{ userId: ada.id, positive: false, text: null }]);
  });

  it('replaces the earlier rating of the same user, comment and all', async ({ service, ada }) => {
    const message = await answeredMessage(ada);
    for (const body of [{ positive: true, feedback_text: 'Fine' }, { positive: false }, { positive: false }]) {
      expect((await rate(ada, message, body)).status).toBe(204);
    }
    expect(await ratingsOf(service, message.answerId)).toEqual([{ userId: ada.id, positive: false, text: null }]);
  });

  it('keeps one of twenty concurrent ratings', async ({ service, ada }) => {
    const message = await answeredMessage(ada);
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
  ] as const)('keeps a comment of %s as it is', async ([_name, comment], { service, ada }) => {
    const message = await answeredMessage(ada);
    await rate(ada, message, { positive: true, feedback_text: comment });
    expect((await ratingsOf(service, message.answerId))[0]?.text).toBe(comment);
  });

  it('does not move the thread', async ({ ada }) => {
    const message = await answeredMessage(ada);
    const look = async () => (await ada.rest.get<ThreadBody>(`/threads/${message.threadId}`)).body;
    const before = await look();
    await rate(ada, message, { positive: true });
    expect(await look()).toEqual(before);
  });
});

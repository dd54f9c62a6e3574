/** The ratings of an organization: for its administrators alone, newest first, and never from a private thread of another. */
import { describe, expect } from 'vitest';
import { readFeedback } from '../../../src/modules/feedback/list-feedback.js';
import type { Browser } from '../../auth/browser.js';
import { signedIn } from '../../auth/people.js';
import { expectIndexes, planOf, statementsOf } from '../../support/database/query-plan.js';
import { it } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { colleagueOf, newcomer } from '../../support/threads.js';

const query = `query ($first: Int, $after: String, $positive: Boolean) {
  feedback(first: $first, after: $after, positive: $positive) {
    ratings { messageId threadId threadTitle userId userName positive text appUrl } cursor hasNextPage } }`;

interface Given {
  positive: boolean;
  text?: string;
  isPrivate?: boolean;
  name?: string;
}

/** Rates the answer in a new thread of the person. */
async function rated(person: Person, { positive, text = '', isPrivate = false, name = 'Tea' }: Given) {
  const sent = await person.rest.createThread({ text: 'Hello', name, is_private: isPrivate });
  const [answer] = await person.rest.answer(sent);
  const path = `/threads/${sent.threadId}/messages/${answer?.id}/feedback`;
  const reply = await person.rest.post(path, { positive, ...(text ? { feedback_text: text } : {}) });
  expect(reply.status).toBeLessThan(300);
  return { threadId: sent.threadId, messageId: answer?.id ?? '' };
}

async function listedTo(browser: Browser, variables: object = {}) {
  const { feedback } = await browser.graphql(query, variables);
  return feedback;
}

/** An administrator, and a member of the same organization. */
async function pair(service: TestService) {
  const grace = await newcomer(service, { name: 'Grace' });
  const ada = await colleagueOf(service, grace, { role: 'admin', name: 'Ada' });
  return { ada, grace };
}

describe('Query.feedback', () => {
  it('has who rated which answer how, newest first, of both kinds or of one', async ({ service }) => {
    const { ada, grace } = await pair(service);
    const good = await rated(grace, { positive: true });
    const bad = await rated(ada, { positive: false, text: 'Too long', name: 'Coffee' });
    const browser = await signedIn(service, ada);
    const { ratings: nodes } = await listedTo(browser);
    expect(nodes).toEqual([
      {
        ...{ ...bad, threadTitle: 'Coffee', userId: ada.id, userName: 'Ada', positive: false, text: 'Too long' },
        appUrl: `https://skein.test/threads/${bad.threadId}/messages/${bad.messageId}`,
      },
      expect.objectContaining({ ...good, userName: 'Grace', positive: true, text: null }),
    ]);
    for (const positive of [true, false]) {
      const { ratings } = await listedTo(browser, { positive });
      expect(ratings.map(({ messageId }) => messageId)).toEqual([(positive ? good : bad).messageId]);
    }
  });

  it('goes on after a cursor, also after its rating has changed', async ({ service }) => {
    const { ada, grace } = await pair(service);
    const [first, second, third] = [
      await rated(grace, { positive: true }),
      await rated(grace, { positive: true }),
      await rated(grace, { positive: true }),
    ];
    const browser = await signedIn(service, ada);
    const newest = await listedTo(browser, { first: 1 });
    expect(newest.ratings.map(({ messageId }) => messageId)).toEqual([third.messageId]);
    expect(newest.hasNextPage).toBe(true);
    await grace.rest.post(`/threads/${third.threadId}/messages/${third.messageId}/feedback`, { positive: false });
    const rest = await listedTo(browser, { after: newest.cursor });
    expect(rest.ratings.map(({ messageId }) => messageId)).toEqual([second.messageId, first.messageId]);
    expect(rest.hasNextPage).toBe(false);
  });

  it('leaves out private threads of others, and other organizations', async ({ service }) => {
    const { ada, grace } = await pair(service);
    await rated(grace, { positive: false, isPrivate: true });
    const own = await rated(ada, { positive: true, isPrivate: true });
    await rated(await newcomer(service), { positive: false });
    const { ratings } = await listedTo(await signedIn(service, ada));
    expect(ratings.map(({ messageId }) => messageId)).toEqual([own.messageId]);
  });

  it('refuses members, and every token, an administrator’s too', async ({ service }) => {
    const { ada, grace } = await pair(service);
    const member = await signedIn(service, grace);
    await expect(member.graphql(query)).rejects.toThrow('NOT_ADMINISTRATOR');
    const { body } = await ada.graphql.run({ query });
    expect(body.errors?.[0]?.extensions?.['code']).toBe('NOT_ADMINISTRATOR');
  });

  it.for(['x', 'bm90IGEgY3Vyc29y'])('refuses %j as a cursor', async (after, { service }) => {
    const { ada } = await pair(service);
    const browser = await signedIn(service, ada);
    await expect(browser.graphql(query, { after })).rejects.toThrow('INVALID_CURSOR');
  });
});

it('a page of ratings reads only what it gives, however many there are', async ({ service, database }) => {
  const { ada } = await pair(service);
  const { threadId } = await rated(ada, { positive: true });
  await service.sql(
    `INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
       SELECT 'msg_' || i, '${threadId}', 100 + 2 * i, 'assistant', '[]', now() FROM generate_series(1, 20000) i`,
    `INSERT INTO feedback (message_id, user_id, positive, created_at, updated_at)
       SELECT 'msg_' || i, '${ada.id}', i % 2 = 0, now(), now() - i * interval '1 minute' FROM generate_series(1, 20000) i`,
    // So many that reading all of them would not do.
    `INSERT INTO thread (id, organization_id, owner_id, created_at, updated_at)
       SELECT 'thr_' || i, organization_id, owner_id, now(), now() FROM thread, generate_series(1, 5000) i WHERE id = '${threadId}'`,
    'ANALYZE feedback, message, thread',
  );
  const user = await database.user.findUniqueOrThrow({ where: { id: ada.id } });
  const viewer = { userId: ada.id, organizationId: user.organizationId } as Parameters<
    typeof readFeedback
  >[1]['viewer'];
  const after = { ratedAt: new Date(Date.now() - 600_000), messageId: 'msg_5', userId: ada.id };
  const statements = await statementsOf(async () => {
    expect(await readFeedback(database, { viewer, positive: null, after, limit: 10 })).toHaveLength(10);
  });
  const statement = statements.find(({ sql }) => sql.includes('FROM feedback f')) ?? expect.fail('nothing was sent');
  expectIndexes(await planOf(service.storage.url, statement), 50);
});

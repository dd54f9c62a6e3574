/** Each list of an export is read by an index, from anywhere in it, however much others have. */
import { describe, expect, it } from 'vitest';
import type { Prisma } from '../../../prisma/generated/client/client.js';
import { type RecordType, recordLists, recordTypes } from '../../../src/modules/export/record-lists.js';
import { openedDatabase } from '../../support/database/opened-database.js';
import { expectIndexes, planOf, statementsOf } from '../../support/database/query-plan.js';

const rows = 5_000;
const most = 10;
/** A thread is read to its end, or to the size of the page. */
const messagesOfThread = 4;

/** One row in a hundred is Eve's, spread over those of others. */
const owner = `CASE WHEN i % 100 = 0 THEN 'usr_eve' ELSE 'usr_' || i % 100 END`;
/** As many messages as a person has threads are in threads of others. */
const author = `CASE WHEN i % 100 = 1 AND s = 1 THEN 'usr_eve' ELSE 'usr_' || (i + 1) % 100 END`;
const key = `lpad(i::text, 6, '0')`;
const every = `FROM generate_series(1, ${rows}) i`;
const fill = [
  `INSERT INTO organization (slug, name) SELECT 'acme-' || i, 'Acme' FROM generate_series(1, 1000) i`,
  `INSERT INTO user_account (id, organization_id, email)
   SELECT CASE WHEN i = 0 THEN 'usr_eve' ELSE 'usr_' || i END, o.id, i || '@acme.test' FROM organization o, generate_series(0, ${rows}) i WHERE o.slug = 'acme-1'`,
  `SET session_replication_role = replica;
   INSERT INTO thread (id, organization_id, owner_id, created_at, updated_at)
   SELECT 'thr_' || ${key}, o.id, ${owner}, now(), now() FROM organization o, generate_series(1, ${rows}) i WHERE o.slug = 'acme-1';
   INSERT INTO message (id, thread_id, sequence, role, contents, author_id, created_at)
   SELECT 'msg_' || ${key} || s, 'thr_' || ${key}, s * 2, 'user', '[]', ${author}, now() ${every}, generate_series(1, ${messagesOfThread}) s;
   INSERT INTO message_reasoning (message_id, text) SELECT id, 'Hm' FROM message;
   INSERT INTO feedback (message_id, user_id, positive, created_at, updated_at)
   SELECT 'msg_' || ${key} || 1, ${owner}, true, now(), now() ${every};
   INSERT INTO read_position (user_id, thread_id, sequence, read_at) SELECT ${owner}, 'thr_' || ${key}, 2, now() ${every};
   INSERT INTO thread_pin (user_id, thread_id, pinned_at) SELECT ${owner}, 'thr_' || ${key}, now() ${every};
   INSERT INTO attachment (id, owner_id, name, media_type, size, created_at)
   SELECT 'att_' || ${key}, ${owner}, 'a.txt', 'text/plain', 1, now() ${every};
   INSERT INTO session (id, user_id, token, expires_at) SELECT 'ses_' || ${key}, ${owner}, lpad(to_hex(i), 64, '0'), now() ${every};
   INSERT INTO account (id, user_id, provider_id, issuer, account_id)
   SELECT 'acc_' || i, 'usr_' || i, 'openid', 'https://id.test', i ${every};
   INSERT INTO account (id, user_id, provider_id, issuer, account_id) VALUES ('acc_eve', 'usr_eve', 'openid', 'https://id.test', 'eve');
   INSERT INTO access_token (id, user_id, name, digest, last_four, scopes)
   SELECT 'tok_' || ${key}, ${owner}, 'x', int4send(i), 'abcd', '{}' ${every}`,
  'ANALYZE',
];
const opened = openedDatabase({ fill });

/** In the middle of each list. */
const middle: Record<RecordType, string> = {
  user: '',
  access_token: 'tok_002000',
  session: 'ses_002000',
  sign_in_method: '',
  thread: 'thr_002000',
  message: 'thr_002000 4',
  message_reasoning: 'thr_002000 4',
  sent_message: 'msg_0020011',
  feedback: 'msg_0020001',
  read_position: 'thr_002000',
  thread_pin: 'thr_002000',
  attachment: 'att_002000',
};

const answer = {
  loadable: 1_000_000_000,
  take: () => undefined,
  load: () => undefined,
  makeRoomFor: () => Promise.resolve(),
};

/** The first statement of a list, as it is sent. */
async function statementOf(type: RecordType): Promise<Prisma.Sql> {
  const [statement] = await statementsOf(async () => {
    const request = { source: { database: opened.client, answer }, userId: 'usr_eve' };
    const { items, hasMore } = await recordLists[type](request, { after: middle[type], most });
    const isOne = type === 'user' || type === 'sign_in_method';
    expect([items.length, hasMore]).toEqual(isOne ? [1, false] : [most, true]);
  });
  return statement ?? expect.fail('nothing was sent');
}

/** Each is joined to its message. */
const readsOfEach: Partial<Record<RecordType, number>> = { message_reasoning: 2 };

describe('a list of records', () => {
  it.each(recordTypes)('%s: reads only what it gives', async (type) => {
    const plan = await planOf(opened.url, await statementOf(type));
    expectIndexes(plan, (most + 1 + messagesOfThread) * (readsOfEach[type] ?? 1));
  });
});

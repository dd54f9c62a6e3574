/** `dataExport`: everything about the viewer and nothing of others, page by page, as the operator's export has it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { idOfUuid } from '../../../src/ids.js';
import { encodeExportCursor } from '../../../src/modules/export/export-cursor.js';
import { exportUser } from '../../../src/modules/export/export-user.js';
import type { Browser } from '../../auth/browser.js';
import { password, signedIn } from '../../auth/people.js';
import { createThreadWith, textFile, uploadFile } from '../../graphql/attachments/attached-file.js';
import { storeMessages } from '../../rest/messages/stored-messages.js';
import type { Data } from '../../support/clients/graphql-client.js';
import { serviceAlone } from '../../support/fixtures/service.js';
import { reasoning, text } from '../../support/model/model-script.js';
import type { Person, TestService } from '../../support/service.js';
import { addThread, addThreads, colleagueOf, newcomer } from '../../support/threads.js';

const it = serviceAlone({})
  .extend('eve', { scope: 'file' }, ({ service }) => someone(service))
  .extend('browser', { scope: 'file' }, ({ service, eve }) => signedIn(service, eve, password));

const query = `query ($first: Int, $after: String) { dataExport(first: $first, after: $after) {
  records { type line } cursor hasNextPage } }`;

type Page = Data<typeof query>['dataExport'];

interface Line {
  type: string;
  [field: string]: unknown;
}

async function pagesOf(browser: Browser, first: number, from: string | null = null): Promise<Page[]> {
  const pages: Page[] = [];
  for (let after = from; ; ) {
    const { dataExport } = await browser.graphql(query, { first, after });
    pages.push(dataExport);
    if (!dataExport.hasNextPage) return pages;
    after = dataExport.cursor;
  }
}

function linesOf(pages: readonly Page[]): Line[] {
  return pages.flatMap(({ records }) => records.map(({ line }) => JSON.parse(line) as Line));
}

/** Somebody with something of everything, and what others said beside them. */
async function someone(service: TestService): Promise<Person> {
  const eve = await newcomer(service);
  const bob = await colleagueOf(service, eve);
  const attachmentIds = [await uploadFile(service, eve, textFile('Earl Grey'))];
  service.model.enqueue([reasoning('What does Eve drink?'), text('Tea.')]);
  const sent = await createThreadWith(service, eve, { text: 'Tea?', attachmentIds });
  await eve.rest.answer(sent);
  const [diary = ''] = await addThreads(service, eve, [{ isPrivate: true, name: 'Diary' }, { archived: true }, {}]);
  const theirs = await bob.rest.createThread({ text: 'The words of Bob' });
  await bob.rest.answer(theirs);
  await eve.rest.answer(await eve.rest.send(theirs.threadId, 'The words of Eve'));
  const answer = await service.database.message.findFirstOrThrow({
    where: { threadId: theirs.threadId, role: 'assistant' },
  });
  const rate = `mutation ($threadId: ID!, $messageId: ID!) {
    submitFeedback(input: {threadId: $threadId, messageId: $messageId, positive: true, text: "Fine"}) { __typename } }`;
  await eve.graphql.data(rate, { threadId: theirs.threadId, messageId: answer.id });
  const read = `mutation ($threadId: ID!, $messageId: ID!) {
    markThreadRead(input: {threadId: $threadId, messageId: $messageId}) { __typename } }`;
  await eve.graphql.data(read, { threadId: theirs.threadId, messageId: answer.id });
  const file = `mutation ($id: ID!) { setThreadTags(input: {id: $id, tags: ["Evenings"]}) { __typename } }`;
  await eve.graphql.data(file, { id: diary });
  await eve.graphql.data('mutation ($id: ID!) { pinThread(id: $id) { __typename } }', { id: theirs.threadId });
  return eve;
}

async function exportedLines(service: TestService, { id }: Person, folder: string): Promise<Line[]> {
  const { signal } = new AbortController();
  await exportUser(service.database, { userId: id, folder, signal });
  const lines = (await readFile(join(folder, 'data.jsonl'), 'utf8')).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}

describe('Query.dataExport', () => {
  it('gives the records of the operator’s export, in pages of any size', async ({ service, folder, eve, browser }) => {
    const expected = await exportedLines(service, eve, join(folder, 'eve'));
    const types = ['user', 'access_token', 'session', 'sign_in_method', 'thread', 'message', 'message_reasoning'];
    expect([...new Set(expected.map(({ type }) => type))]).toEqual([
      ...types,
      'sent_message',
      'feedback',
      'read_position',
      'thread_pin',
      'attachment',
    ]);
    expect(expected.find(({ name }) => name === 'Diary')).toMatchObject({ type: 'thread', tags: ['Evenings'] });
    const sentToOthers = expected.filter(({ type }) => type === 'sent_message').map(({ contents }) => contents);
    expect(sentToOthers).toEqual([[{ type: 'text', text: 'The words of Eve' }]]);
    expect(JSON.stringify(expected)).not.toContain('The words of Bob');
    for (const first of [1, 3, 200]) {
      const pages = await pagesOf(browser, first);
      expect(pages.slice(0, -1).map(({ records }) => records.length)).toEqual(pages.slice(1).map(() => first));
      expect(linesOf(pages).map(({ url: _, ...line }) => line)).toEqual(expected.map(({ file: _, ...line }) => line));
    }
    const [file] = linesOf(await pagesOf(browser, 200)).filter(({ type }) => type === 'attachment');
    const download = await browser.fetch(new URL(String(file?.['url'])).pathname);
    expect(await download.text()).toBe('Earl Grey');
  });

  it('names the type of each record beside its line, and contains no secrets', async ({ browser }) => {
    const pages = await pagesOf(browser, 50);
    for (const { type, line } of pages.flatMap(({ records }) => records)) {
      expect(type.toLowerCase()).toBe((JSON.parse(line) as Line).type);
      expect(line).not.toContain('\n');
    }
    expect(JSON.stringify(pages)).not.toMatch(/digest|skn_pat_|password|"token\b|\$scrypt/);
  });

  it('gives an administrator nothing of others, private or not', async ({ service, eve }) => {
    const admin = await colleagueOf(service, eve, { role: 'admin' });
    const lines = linesOf(await pagesOf(await signedIn(service, admin), 200));
    expect([...new Set(lines.map(({ type }) => type))]).toEqual(['user', 'access_token', 'session']);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${eve.id}|Tea|Diary|Bob`));
  });

  it('ends a page before its messages are too many bytes, and goes on', async ({ service }) => {
    const eve = await newcomer(service);
    const text = 'x'.repeat(1_000_000);
    const threadId = await addThread(service, eve);
    const ids = await storeMessages(
      service,
      threadId,
      Array.from({ length: 12 }, () => ({ contents: [{ type: 'text' as const, text }] })),
    );
    const pages = await pagesOf(await signedIn(service, eve), 200);
    expect(pages.length).toBeGreaterThan(1);
    const messages = linesOf(pages).filter(({ type }) => type === 'message');
    expect(messages.map(({ id }) => id)).toEqual(ids);
  });
});

describe('the cursor of an export', () => {
  it('goes on where it was, also after what it names is gone', async ({ service }) => {
    const eve = await newcomer(service);
    await addThreads(service, eve, [{}, {}, {}, {}]);
    const browser = await signedIn(service, eve);
    const whole = linesOf(await pagesOf(browser, 200));
    const { dataExport } = await browser.graphql(query, { first: 5 });
    const [last] = dataExport.records.slice(-1).map(({ line }) => JSON.parse(line) as Line);
    await service.sql(`DELETE FROM thread WHERE id = '${last?.['id']}'`);
    const rest = linesOf(await pagesOf(browser, 1, dataExport.cursor));
    expect(rest).toEqual(whole.slice(5));
  });

  it('is refused if invalid, another person’s, or of no logged export', async ({ service, eve, browser: eves }) => {
    const bob = await colleagueOf(service, eve, { role: 'admin' });
    const browser = await signedIn(service, bob);
    const { dataExport } = await eves.graphql(query, { first: 1 });
    // What an operator exported, and what was done otherwise.
    await service.sql(`SELECT audit_entry('data_exported', '${bob.id}', NULL, NULL)`);
    const entries = await service.database.auditEvent.findMany({ where: { subjectId: bob.id } });
    expect(new Set(entries.map(({ act }) => act))).toContain('data_exported');
    const forged = entries.map(({ id }) =>
      encodeExportCursor({ exportId: idOfUuid('aud', id), type: 'user', key: 'usr_0' }),
    );
    for (const after of ['x', dataExport.cursor, ...forged]) {
      await expect(browser.graphql(query, { after })).rejects.toThrow('INVALID_CURSOR');
    }
  });
});

it('the audit log of an export names who exported, once for all pages', async ({ service }) => {
  const eve = await newcomer(service);
  await addThreads(service, eve, [{}, {}, {}]);
  const browser = await signedIn(service, eve);
  const where = { act: 'data_exported', subjectId: eve.id };
  await pagesOf(browser, 2);
  const entry = { actorKind: 'user', actorId: eve.id, targetId: null };
  expect(await service.database.auditEvent.findMany({ where })).toMatchObject([entry]);
  await pagesOf(browser, 200);
  expect(await service.database.auditEvent.count({ where })).toBe(2);
  const logged = service.log.filter((line) => line.includes('data_exported') && line.includes(eve.id));
  expect(logged).toHaveLength(2);
});

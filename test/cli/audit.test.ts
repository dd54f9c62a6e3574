/** The audit log in the log of the real program: each entry once, in the process that made the change. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';
import { runSql } from '../support/server.js';
import { command } from './command.js';
import { end, type Program, type Service, serve, skein } from './program.js';

interface Entry {
  act: string;
  actorKind: string;
  actorId: string | null;
  subjectId: string;
  targetId: string | null;
  organization: number;
}

const email = 'eve@acme.test';
const chosen = 'correct horse battery staple';

let storage: TestDatabase;
let nodes: Service[];
beforeAll(async () => {
  storage = await createTestDatabase();
  await run('org', 'create', '--slug', 'acme', '--name', 'Acme');
  await run('user', 'create', '--org', 'acme', '--email', email);
  nodes = [await serve({ DATABASE_URL: storage.url }), await serve({ DATABASE_URL: storage.url })];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => end(node)));
  await storage.drop();
});

function run(...words: string[]) {
  return command(words, { DATABASE_URL: storage.url });
}

/** The entries among the lines of a log. */
function entriesIn({ stderr }: Pick<Program, 'stderr'>): Entry[] {
  return stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Entry & { level: number; msg: string })
    .filter(({ level, msg }) => level === 30 && msg === 'audit')
    .map(({ act, actorKind, actorId, subjectId, targetId, organization }) => {
      return { act, actorKind, actorId, subjectId, targetId, organization };
    });
}

/** What the table has, but for what a command without a log did. */
async function recorded(): Promise<Entry[]> {
  const rows = await runSql(
    storage.url,
    `SELECT act, actor_kind AS "actorKind", actor_id AS "actorId", subject_id AS "subjectId", target_id AS "targetId",
      organization_id AS organization FROM audit_event WHERE actor_kind <> 'command_line' ORDER BY at`,
  );
  return rows as Entry[];
}

async function postTo(node: Service, path: string, body: object, cookie = ''): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: node.url, cookie };
  return fetch(`${node.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

it('has each entry as one line of one node, in the order of the table', async () => {
  const [one, two] = nodes as [Service, Service];
  const { stdout } = await run('user', 'sign-in-link', '--email', email);
  const token = new URL(stdout.trim()).searchParams.get('token');
  const signedIn = await postTo(one, '/auth/sign-in/link', { token, password: chosen });
  expect(signedIn.status).toBe(200);
  const [cookie = ''] = signedIn.headers.getSetCookie();
  const changed = { currentPassword: chosen, newPassword: `${chosen} two` };
  expect((await postTo(one, '/auth/change-password', changed, cookie.split(';')[0])).status).toBe(200);
  expect((await postTo(two, '/auth/sign-in/email', { email, password: `${chosen} two` })).status).toBe(200);
  const entries = await recorded();
  expect(entries.map(({ act }) => act)).toEqual(['password_changed', 'signed_in', 'password_changed', 'signed_in']);
  expect(entriesIn(one)).toEqual(entries.slice(0, 3));
  expect(entriesIn(two)).toEqual(entries.slice(3));
  expect(one.stderr + two.stderr).not.toMatch(/correct horse|eve@/);
});

it('is written by a command only where the command logs what is normal, and never by the nodes', async () => {
  const before = nodes.map(entriesIn);
  expect(await run('user', 'sign-in-link', '--email', email)).toMatchObject({ status: 0, stderr: '' });
  const words = ['user', 'sign-in-link', '--email', email];
  const loud = await skein(words, { DATABASE_URL: storage.url, LOG_LEVEL: 'debug' });
  const act = { act: 'sign_in_link_created', actorKind: 'command_line', actorId: null, targetId: null };
  expect(entriesIn(loud)).toEqual([expect.objectContaining(act)]);
  expect(nodes.map(entriesIn)).toEqual(before);
});

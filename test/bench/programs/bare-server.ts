/**
 * The baseline of `requests`: a Koa server, written by hand, that looks the token up and answers with one prepared
 * statement; no other checks, no GraphQL. `/nothing` is answered without Koa, to see what the load generator itself can do.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import Koa from 'koa';
import pg from 'pg';
import { createId } from '../../../src/ids.js';
import { serve } from './program.js';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });

const statements: Record<string, string> = {
  me: `SELECT u.id AS sub, u.name, u.email, u.number, o.id, o.slug, u.role
    FROM user_account u JOIN organization o ON o.id = u.organization_id WHERE u.id = $1`,
  threads: `SELECT t.id, t.name, t.state, t.is_private, t.archived, t.created_at, t.updated_at, u.id AS owner, u.name AS owner_name
    FROM thread t JOIN user_account u ON u.id = t.owner_id
    WHERE t.organization_id = $1 AND (NOT t.is_private OR t.owner_id = $2) AND NOT t.archived
    ORDER BY t.updated_at DESC, t.id DESC LIMIT 51`,
  thread: `SELECT t.id, t.name, t.state, t.is_private, t.archived, t.created_at, t.updated_at, u.id AS owner, u.name AS owner_name
    FROM thread t JOIN user_account u ON u.id = t.owner_id WHERE t.id = $1`,
  search: `SELECT t.id, t.name, t.state, t.is_private, t.archived, t.created_at, t.updated_at, u.id AS owner, u.name AS owner_name
    FROM thread t JOIN user_account u ON u.id = t.owner_id
    WHERE t.organization_id = $1 AND (NOT t.is_private OR t.owner_id = $2) AND NOT t.archived AND (t.search @@ search_query($3)
      OR EXISTS (SELECT FROM message m WHERE m.thread_id = t.id AND m.active AND m.search @@ search_query($3)))
    ORDER BY t.updated_at DESC, t.id DESC LIMIT 51`,
  messages: `SELECT id, thread_id, role, contents, created_at FROM message
    WHERE thread_id = $1 AND active ORDER BY sequence LIMIT 51`,
  response: `SELECT r.status, m.id, m.thread_id, m.role, m.contents, m.created_at
    FROM response r JOIN message m ON m.reply_to_id = r.message_id WHERE r.message_id = $1 ORDER BY m.position`,
  create: `WITH thread AS (
      INSERT INTO thread (id, organization_id, owner_id, state, last_sequence, created_at, updated_at)
      VALUES ($1, $3::int, $4, 'ready', 2, now(), now()) RETURNING id),
    message AS (
      INSERT INTO message (id, thread_id, sequence, role, contents, created_at)
      SELECT $2::text, id, 2, 'user', jsonb_build_array(jsonb_build_object('type', 'text', 'text', $5::text)), now() FROM thread)
    INSERT INTO response (message_id, thread_id, status, created_at, finished_at)
    SELECT $2::text, id, 'succeeded', now(), now() FROM thread`,
};

const authentication = {
  name: 'authentication',
  text: `SELECT u.id, u.organization_id, k.scopes FROM access_token k JOIN user_account u ON u.id = k.user_id
    WHERE k.digest = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.removed_at IS NULL`,
};

async function isAuthenticated(authorization: string): Promise<boolean> {
  const digest = createHash('sha256').update(authorization.slice('Bearer '.length)).digest();
  const { rows } = await pool.query({ ...authentication, values: [digest] });
  return rows.length === 1;
}

const app = new Koa();
app.on('error', (error: Error) => console.error(error.message));
app.use(async (ctx) => {
  const [, name = '', ...values] = ctx.path.split('/').map(decodeURIComponent);
  const text = statements[name];
  if (!text) return;
  if (!(await isAuthenticated(ctx.get('authorization')))) ctx.throw(401);
  if (name !== 'create') {
    const { rows } = await pool.query({ name, text, values });
    ctx.body = { data: rows };
    return;
  }
  const { text: said } = (await json(ctx.req)) as { text: string };
  const created = { thread_id: createId('thr'), message_id: createId('msg') };
  await pool.query({ name, text, values: [created.thread_id, created.message_id, ...values, said] });
  ctx.status = 201;
  ctx.body = created;
});

const answer = app.callback();
const server = createServer((request, response) => {
  if (request.url !== '/nothing') return void answer(request, response);
  response.setHeader('Content-Length', 2).end('{}');
});
serve(server);

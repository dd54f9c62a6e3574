/**
 * The baseline of `turns`: a Koa server, written by hand, that looks the token up, stores a message, claims it, asks the
 * model, hands its tokens to the viewer, and stores the answer: three commits. A crash loses the answer, no other process
 * streams it, and nobody resumes a stream.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, request } from 'node:http';
import { PassThrough } from 'node:stream';
import { json } from 'node:stream/consumers';
import { createParser } from 'eventsource-parser';
import Koa from 'koa';
import pg from 'pg';
import { createId } from '../../../src/ids.js';
import { serve } from './program.js';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 20 });
const modelUrl = `${process.env['MODEL_URL']}/v1/chat/completions`;

const statements = {
  authenticate: `SELECT u.id, u.organization_id, k.scopes FROM access_token k JOIN user_account u ON u.id = k.user_id
    WHERE k.digest = $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.removed_at IS NULL`,
  send: `WITH thread AS (
      INSERT INTO turn_thread (id, organization_id, owner_id, state) VALUES ($1, $2::int, $3, 'waiting') RETURNING id)
    INSERT INTO turn_message (id, thread_id, role, contents, status) SELECT $4, id, 'user', $5::jsonb, 'queued' FROM thread`,
  claim: `WITH message AS (UPDATE turn_message SET status = 'running' WHERE id = $1 RETURNING thread_id)
    UPDATE turn_thread SET state = 'active' FROM message WHERE id = thread_id`,
  settle: `WITH message AS (UPDATE turn_message SET status = 'succeeded' WHERE id = $1 RETURNING thread_id),
    answer AS (INSERT INTO turn_message (id, thread_id, role, contents) SELECT $2, thread_id, 'assistant', $3::jsonb FROM message)
    UPDATE turn_thread SET state = 'ready' FROM message WHERE id = thread_id`,
};

await pool.query(`
  CREATE TABLE turn_thread (id text PRIMARY KEY, organization_id int NOT NULL, owner_id text NOT NULL, state text NOT NULL);
  CREATE TABLE turn_message (id text PRIMARY KEY, thread_id text NOT NULL REFERENCES turn_thread, role text NOT NULL,
    contents jsonb NOT NULL, status text);
  CREATE INDEX ON turn_message (thread_id)`);

async function run(name: keyof typeof statements, values: unknown[]): Promise<pg.QueryResult> {
  return pool.query({ name, text: statements[name], values });
}

/** What the stream of a message has said so far, for one viewer. */
const streams = new Map<string, PassThrough>();

const app = new Koa();
app.on('error', (error: Error) => console.error(error.message));
app.use(async (ctx) => {
  const digest = createHash('sha256').update(ctx.get('authorization').slice('Bearer '.length)).digest();
  if ((await run('authenticate', [digest])).rowCount !== 1) ctx.throw(401);
  const [, organizationId, userId, , , , messageId = ''] = ctx.path.split('/');
  if (ctx.method === 'GET') {
    const stream = streams.get(messageId);
    streams.delete(messageId);
    ctx.type = 'text/event-stream';
    ctx.body = stream;
    return;
  }
  const { text } = (await json(ctx.req)) as { text: string };
  const created = { thread_id: createId('thr'), message_id: createId('msg') };
  const contents = JSON.stringify([{ type: 'text', text }]);
  await run('send', [created.thread_id, organizationId, userId, created.message_id, contents]);
  streams.set(created.message_id, new PassThrough());
  void answer(created.message_id, text);
  ctx.status = 201;
  ctx.body = created;
});

async function answer(messageId: string, text: string): Promise<void> {
  const viewer = streams.get(messageId);
  await run('claim', [messageId]);
  let said = '';
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') return;
      const { choices } = JSON.parse(data) as { choices: { delta: { content?: string } }[] };
      const token = choices[0]?.delta.content;
      if (!token) return;
      said += token;
      viewer?.write(`id: ${said.length}\ndata: ${JSON.stringify({ token })}\n\n`);
    },
  });
  for await (const chunk of (await ask(text)).setEncoding('utf8')) parser.feed(chunk);
  await run('settle', [messageId, createId('msg'), JSON.stringify([{ type: 'text', text: said }])]);
  viewer?.end('event: done\ndata: {}\n\n');
}

function ask(text: string): Promise<IncomingMessage> {
  const headers = { 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(modelUrl, { method: 'POST', headers }, resolve).on('error', reject);
    asked.end(JSON.stringify({ model: 'scripted', stream: true, messages: [{ role: 'user', content: text }] }));
  });
}

serve(createServer(app.callback()));

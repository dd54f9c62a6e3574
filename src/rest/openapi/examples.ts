/** Example requests and responses of all operations, which together tell one conversation. */
import { defaultPageSize } from '../../contract.js';
import { formatFrame, opening } from '../sse.js';

const threadId = 'thr_01j9zkq4m3e8r2t6w0y5x7c1va';
const questionId = 'msg_01j9zkq4m4d2k7n3p8s1v6b0gf';
const answerId = 'msg_01j9zkq4zt5c9h1m4q7w2y8e3r';
const appUrl = `https://skein.example/threads/${threadId}`;
const reply = 'Take the night train to Vienna: it leaves Hamburg at 20:14 and arrives at 9:50.';

export const thread = {
  id: threadId,
  name: 'Holidays',
  state: 'ready',
  is_private: false,
  archived: false,
  owner: { id: 'usr_01j9zkh2s6f4d8g1k3m7p0r5tw', name: 'Ada Lovelace' },
  created_at: '2026-11-20T17:29:00.000Z',
  updated_at: '2026-11-20T17:29:04.512Z',
  app_url: appUrl,
};

const question = {
  id: questionId,
  thread_id: threadId,
  role: 'user',
  contents: [{ type: 'text', text: 'How do I get from Hamburg to Vienna without flying?' }],
  created_at: '2026-11-20T17:29:00.000Z',
  app_url: `${appUrl}/messages/${questionId}`,
};

const answer = {
  id: answerId,
  thread_id: threadId,
  role: 'assistant',
  contents: [
    { type: 'text', text: reply },
    {
      type: 'user_get_choice',
      tool_use_id: 'call_7Qk2',
      question: 'Which day do you want to leave?',
      choices: ['Friday', 'Saturday'],
    },
  ],
  created_at: '2026-11-20T17:29:04.512Z',
  app_url: `${appUrl}/messages/${answerId}`,
};

const page = <Item extends { id: string }>(data: readonly Item[]) => ({
  data,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: false,
  limit: defaultPageSize,
});

const half = reply.indexOf(' it leaves');
const frames = [
  { event: 'token', data: { token: reply.slice(0, half) }, id: `1-${half}` },
  { event: 'token', data: { token: reply.slice(half) }, id: `1-${reply.length}` },
  { event: 'done', data: {}, id: '1-end' },
] as const;

/** A complete stream, as sent over the wire. */
export const streamText = opening + frames.map(formatFrame).join('');

/** Examples by the name of the body's schema, each with a name of its own. */
export const examples = {
  Identity: {
    member: {
      sub: thread.owner.id,
      name: thread.owner.name,
      email: 'ada@analytical.example',
      service_user_id: 17,
      service_organization_id: 3,
      service_organization_slug: 'analytical',
      role: 'member',
    },
  },
  Thread: { ready: thread },
  ThreadPage: { one: page([thread]), empty: page<typeof thread>([]) },
  MessagePage: { conversation: page([question, answer]) },
  NewThread: {
    text: { text: question.contents[0]?.text },
    all: { text: question.contents[0]?.text, name: thread.name, is_private: thread.is_private },
  },
  CreatedThread: { created: { thread_id: threadId, message_id: questionId } },
  NewMessage: { text: { text: 'And back on Sunday?' } },
  SentMessage: { sent: { message_id: 'msg_01j9zkr8b2v6x0c4f9h3k7n1qe' } },
  Feedback: { up: { positive: true }, down: { positive: false, feedback_text: 'The train leaves from Altona.' } },
  ProcessingResponse: { processing: { status: 'processing' } },
  CompleteResponse: { complete: { status: 'complete', messages: [answer] } },
  ResponseEventData: {
    token: frames[0].data,
    error: { message: 'The response could not be generated.' },
    done: frames[2].data,
  },
};

/**
 * The examples of a schema, in the form of a media type object; undefined if the schema is not that of a whole body.
 */
export function examplesOf(schema: string): Record<string, { value: unknown }> | undefined {
  const named = examples[schema as keyof typeof examples] as Record<string, unknown> | undefined;
  return named && Object.fromEntries(Object.entries(named).map(([name, value]) => [name, { value }]));
}

/**
 * Somebody who takes all that they can get, from five accounts of one organization: slow uploads, followers of a list that changes
 * all the time, responses that never end, every stream, and thousands of pipelined requests. It runs at the lowest priority, since
 * what it costs this machine itself is not what is measured.
 */
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerQuestions, serve } from './program.js';

export interface Attack {
  url: string;
  tokens: string[];
  uploads: number;
  followers: number;
  responses: number;
  /** Of each account. */
  streams: number;
  pipelined: number;
}

setPriority(19);

const sockets = new Set<Socket>();
let isOn = false;

function open(url: string, bytes: string, onEnd?: () => void): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  sockets.add(socket);
  socket.on('error', () => undefined).resume();
  socket.once('close', () => {
    sockets.delete(socket);
    onEnd?.();
  });
  return socket;
}

function requestOf(token: string, [method, path]: readonly [string, string], body?: object, accept = '*/*'): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nAccept: ${accept}\r\n`;
  if (!body) return `${head}\r\n`;
  const json = JSON.stringify(body);
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
}

async function ask(url: string, token: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return reply.json();
}

async function uploadSlowly({ url, uploads }: Attack, token: string): Promise<void> {
  const query = `mutation ($input: UploadAttachmentInput!) { uploadAttachment(input: $input) { ... on AttachmentUpload { attachment { id } } } }`;
  for (let n = 0; n < uploads; n += 1) {
    const input = { name: 'slow.txt', mediaType: 'text/plain', size: 2_000_000 };
    const answer = (await ask(`${url}/graphql`, token, { query, variables: { input } })) as {
      data?: { uploadAttachment?: { attachment?: { id: string } } };
    };
    const id = answer.data?.uploadAttachment?.attachment?.id;
    const head = `PUT /attachments/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
    if (id) open(url, `${head}Content-Type: text/plain\r\nContent-Length: 2000000\r\n\r\nx`);
  }
}

/** Creates threads whose responses hang, and gives the path to the stream of one. */
async function hang({ url, responses }: Attack, token: string): Promise<string> {
  let path = '';
  for (let n = 0; n < responses; n += 1) {
    const sent = (await ask(`${url}/api/v1/threads`, token, { text: 'Hang' })) as {
      thread_id: string;
      message_id: string;
    };
    path ||= `/api/v1/threads/${sent.thread_id}/messages/${sent.message_id}/response/stream`;
  }
  return path;
}

function pipeline(attack: Attack, token: string): void {
  if (!isOn) return;
  const many = requestOf(token, ['GET', '/api/v1/threads']).repeat(attack.pipelined);
  open(attack.url, many, () => void sleep(10).then(() => pipeline(attack, token)));
}

async function keepChanging({ url }: Attack, token: string): Promise<void> {
  while (isOn) await ask(`${url}/api/v1/threads`, token, { text: 'Hang' }).catch(() => sleep(100));
}

/**
 * Fifty at a time, each until it has its first bytes. Node accepts one connection in each round of its event loop, whoever it is
 * from, so thousands at once hold up everybody's next connection to any server of Node's: that is a flood for what is in front.
 */
async function openSteadily(url: string, requests: readonly string[]): Promise<void> {
  for (let n = 0; n < requests.length && isOn; n += 50) {
    const batch = requests.slice(n, n + 50).map((request) => open(url, request));
    await Promise.all(
      batch.map((socket) => new Promise((resolve) => socket.once('data', resolve).once('close', resolve))),
    );
  }
}

async function start(attack: Attack): Promise<void> {
  isOn = true;
  const { url, tokens, followers, streams } = attack;
  const [first = ''] = tokens;
  const path = attack.responses > 0 ? await hang(attack, first) : '';
  await uploadSlowly(attack, first).catch(() => undefined);
  const feed = {
    query: 'subscription { threadsChanged { __typename ... on ThreadUpserted { thread { id name state } } } }',
  };
  const follow = requestOf(first, ['POST', '/graphql'], feed, 'text/event-stream');
  const watching = tokens.map((token) => requestOf(token, ['GET', path]));
  await openSteadily(url, [
    ...Array.from({ length: followers }, () => follow),
    ...watching.flatMap((request) => Array.from({ length: streams }, () => request)),
  ]);
  if (attack.pipelined > 0) pipeline(attack, first);
  if (followers > 0) void keepChanging(attack, first);
  await sleep(1000);
}

function stop(): void {
  isOn = false;
  for (const socket of sockets) socket.destroy();
}

answerQuestions({ start: (attack) => start(attack as Attack), stop });
serve(createServer());

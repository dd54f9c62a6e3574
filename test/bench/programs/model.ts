/**
 * The model of the benchmarks: an OpenAI-style server in a process of its own. It greets at once, or waits for the signal and
 * then speaks on a schedule that nothing holds up; each token is the time at which it was written, so that whoever receives
 * it knows how long it was on its way, or the next of the words that it was given.
 */
import { once, setMaxListeners } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { clockMs } from '../measuring/clock.js';
import { answerQuestions, serve } from './program.js';

interface Schedule {
  tokens: number;
  perSecond: number;
  words?: string[];
}

/** Undefined: a greeting, at once. */
let schedule: Schedule | undefined;
let greeting = ['Hello.'];
const signal = new EventTarget();
setMaxListeners(0, signal);
let waiting = 0;
/** How far behind its schedule each token was written. */
let latenessMs: number[] = [];

const server = createServer(async (request, response) => {
  const { messages } = (await json(request)) as { messages: { content: string }[] };
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
  // Such a response never ends by itself.
  if (messages.at(-1)?.content === 'Hang') return say(response, 'x');
  if (schedule) await speak(response, schedule);
  else for (const words of greeting) say(response, words);
  send(response, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  response.end('data: [DONE]\n\n');
});

async function speak(response: ServerResponse, { tokens, perSecond, words }: Schedule): Promise<void> {
  waiting += 1;
  await once(signal, 'speak');
  waiting -= 1;
  const everyMs = 1000 / perSecond;
  const startMs = clockMs() + Math.random() * everyMs;
  for (let said = 0; said < tokens && !response.destroyed; said += 1) {
    const dueMs = startMs + said * everyMs;
    const earlyMs = dueMs - clockMs();
    if (earlyMs > 0) await new Promise((resolve) => setTimeout(resolve, earlyMs));
    const now = clockMs();
    latenessMs.push(now - dueMs);
    say(response, words?.[said] ?? `${now.toFixed(3)};`);
  }
}

function say(response: ServerResponse, content: string): void {
  send(response, { choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
}

const common = { id: 'bench', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'scripted' };

function send(response: ServerResponse, payload: object): void {
  response.write(`data: ${JSON.stringify({ ...common, ...payload })}\n\n`);
}

answerQuestions({
  greet: (given) => {
    greeting = given as string[];
  },
  schedule: (given) => {
    schedule = given as typeof schedule;
  },
  waiting: () => waiting,
  speak: () => signal.dispatchEvent(new Event('speak')),
  takeLateness: () => {
    const taken = latenessMs;
    latenessMs = [];
    return taken;
  },
});
serve(server);

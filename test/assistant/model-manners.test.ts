/**
 * What model servers send, as public reports have it, and what has to come of it: over REST, as events, in GraphQL and in the
 * stored message, in so many calls of the model. Of one more form of a manner, what is read from it.
 */
import { describe, expect } from 'vitest';
import { rowOf, stateOf } from '../modules/viewing/response-facts.js';
import type { Sent } from '../support/clients/rest-client.js';
import type { MessageBody, PageBody } from '../support/clients/rest-types.js';
import { joinTokens, type ReceivedEvent } from '../support/clients/sse.js';
import { serviceTest } from '../support/fixtures/service.js';
import type { Person } from '../support/service.js';
import { listen, processorAt } from './listening.js';
import { emptyFrames } from './manners/empty-frames.js';
import { endings, reasons, refusals } from './manners/endings.js';
import { errors, features } from './manners/errors.js';
import { again, createThread, type Manner } from './manners/manner.js';
import { questions } from './manners/questions.js';
import { thinking } from './manners/thinking.js';

const fresh = Array.from({ length: 40 }, (_, index) => `compatible:fresh-${index}`);
const it = serviceTest({ environment: { AI_MODELS: fresh.join(',') } })
  /** What reads the answers of the model, without the service around it. */
  .extend('reader', { scope: 'file' }, ({ service }) => processorAt(service.model));

const read = `
  query Read($id: ID!) {
    thread(id: $id) {
      state
      messages(first: 9) {
        edges { node { role reasoning isTruncated contents {
          __typename ... on TextBlock { text } ... on UserGetChoiceBlock { question choices }
        } } }
      }
    }
  }
`;

/** The stored text, and the question, of the assistant's message; undefined without one. */
function answerIn({ data }: PageBody<MessageBody>) {
  const contents = data.find(({ role }) => role === 'assistant')?.contents;
  if (!contents) return undefined;
  const text = contents.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const [question] = contents.flatMap((block) => {
    return block.type === 'user_get_choice' ? [{ question: block.question, choices: block.choices }] : [];
  });
  return { text, question };
}

const kinds: [string, readonly Manner[]][] = [
  ['the end of an answer', endings],
  ['a reason', reasons],
  ['a frame that carries nothing', emptyFrames],
  ['an error', errors],
  ['a feature that is refused', features],
  ['a question', questions],
  ['thinking', thinking],
  ['a refusal', refusals],
];

/** Those that go through the whole service, in a conversation: all that take several calls, and the first of those that end alike. */
function wholeOf(manners: readonly Manner[]): Manner[] {
  const ends = new Set<string>();
  return manners.filter(({ isForm, isFirst, calls = 1, code, isTruncated, question, thinking, text }) => {
    if (isForm || isFirst || calls > 1) return !isForm;
    const end = JSON.stringify([code, isTruncated, ...[question, thinking, text].map(Boolean)]);
    return !ends.has(end) && ends.add(end);
  });
}
const named = (manners: readonly Manner[]) => manners.map((manner) => [manner.name, manner] as const);

describe.each(kinds)('%s', (_kind, manners) => {
  const whole = wholeOf(manners);

  it.for(named(whole))('%s', async ([, manner], { service, ada, graphql }) => {
    const { answers, isFirst = false, calls = 1, code, text = '', question, isTruncated = false } = manner;
    const model = isFirst ? (fresh.shift() ?? null) : null;
    service.model.forget();
    service.model.enqueue(...answers);
    service.model.respond(() => again);
    const before = service.model.requests.length;
    const sent = await createThread(ada, model);
    const events = await lastStream(ada, sent);
    expect(service.model.requests.length - before, 'calls of the model').toBe(calls);

    expect(events.at(-1)).toMatchObject({ event: code ? 'error' : 'done' });
    expect((await rowOf(service, sent)).errorCode).toBe(code ?? null);
    expect(await stateOf(ada.rest, sent)).toBe(code ? 'error' : 'ready');
    const { body } = await ada.rest.get<PageBody<MessageBody>>(`/threads/${sent.threadId}/messages`);
    const stored = answerIn(body);
    if (!code || text !== '') expect(stored).toEqual({ text, question });
    expect(joinTokens(events)).toBe(stored?.text ?? '');

    const { thread } = await graphql.data(read, { id: sent.threadId });
    const answer = thread?.messages.edges.find(({ node }) => node.role === 'ASSISTANT')?.node;
    expect(answer?.isTruncated ?? false).toBe(isTruncated);
    if (!code) expect(answer?.reasoning ?? undefined).toBe(manner.thinking);
  });

  it.for(named(manners.filter((manner) => !whole.includes(manner))))('%s', async ([, manner], { service, reader }) => {
    const { answers, calls = 1, code, text = '', question, thinking: thought = '', isTruncated = false } = manner;
    service.model.forget();
    service.model.enqueue(...answers);
    const { error, events, ...heard } = await listen(reader, 'Hi');
    expect(error?.code, error?.message).toEqual(code ?? (calls > 1 ? expect.any(String) : undefined));
    expect(error?.retryable ?? false, 'the model is called again').toBe(calls > 1);
    if (calls > 1) return;
    const questions = events.flatMap((event) => (event.type === 'choice' ? [event] : []));
    expect({ text: heard.text, thinking: heard.thinking }).toEqual({ text, thinking: thought });
    expect(questions).toMatchObject(question ? [question] : []);
    expect(events.some(({ type }) => type === 'truncated')).toBe(isTruncated);
  });
});

/** The events of the last attempt: a stream ends when an attempt is lost, and its client opens it again. */
async function lastStream({ rest }: Person, sent: Sent): Promise<ReceivedEvent[]> {
  for (;;) {
    const events = await rest.streamToEnd(sent);
    if (!String(events.at(-1)?.data['message']).includes('starts over')) return events;
  }
}

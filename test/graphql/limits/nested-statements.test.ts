/**
 * No list loads its items one by one. Whatever an operation nests is loaded by as many statements for twenty parents as for
 * one; a field that is added to the schema is tried here without anybody thinking of it.
 */
import {
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { describe, expect, it as pure } from 'vitest';
import { schema } from '../../../src/graphql/schema.js';
import { createId } from '../../../src/ids.js';
import type { ContentBlock } from '../../../src/modules/messages/content.js';
import { storeMessages } from '../../rest/messages/stored-messages.js';
import type { GraphQLResult } from '../../support/clients/graphql-client.js';
import { allowImpossiblePairs } from '../../support/database/impossible-pairs.js';
import type { Person, TestService } from '../../support/service.js';
import { addThreads } from '../../support/threads.js';
import { quietTest, type StatementLog } from './statement-log.js';

/** One way down to a field, and the type of the object that is found there. */
interface NestedField {
  /** `messages › edges › node › response`. */
  path: string;
  typeName: string;
  /** What to write within the braces of the type at the top. */
  selection: string;
}

/** Every way from `top` down to a field with fields of its own; a way ends where it meets a type again. */
function nestedFields(top: GraphQLObjectType, met: readonly GraphQLObjectType[] = []): NestedField[] {
  const seen = [...met, top];
  return Object.values(top.getFields()).flatMap((field) =>
    objectTypesOf(field).flatMap((type) => {
      const narrow = (selection: string) => (isAbstract(field) ? `... on ${type.name} { ${selection} }` : selection);
      const inside = (selection: string) => `${field.name}${argumentsOf(field)} { ${narrow(selection)} }`;
      const here = { path: field.name, typeName: type.name, selection: inside(leavesOf(type)) };
      if (seen.includes(type)) return [here];
      const below = nestedFields(type, seen).map((way) => ({
        ...way,
        path: `${field.name} › ${way.path}`,
        selection: inside(way.selection),
      }));
      return [here, ...below];
    }),
  );
}

function objectTypesOf(field: GraphQLField<unknown, unknown>): readonly GraphQLObjectType[] {
  const type = getNamedType(field.type);
  if (!isCompositeType(type) || field.args.some(isRequiredArgument)) return [];
  return isObjectType(type) ? [type] : schema.getPossibleTypes(type);
}

function isAbstract(field: GraphQLField<unknown, unknown>): boolean {
  return !isObjectType(getNamedType(field.type));
}

function leavesOf(type: GraphQLObjectType): string {
  const leaves = Object.values(type.getFields()).filter(
    (field) => isLeafType(getNamedType(field.type)) && !field.args.some(isRequiredArgument),
  );
  return ['__typename', ...leaves.map((field) => field.name)].join(' ');
}

/** Pages are kept small, so that the operation stays within the limit of items. */
function argumentsOf(field: GraphQLField<unknown, unknown>): string {
  return field.args.some((argument) => argument.name === 'first') ? '(first: 8)' : '';
}

/** One block of each kind. */
const everyBlock: ContentBlock[] = [
  { type: 'text', text: 'Look:' },
  { type: 'image', attachmentId: 'att_1' },
  { type: 'document', attachmentId: 'att_2' },
  { type: 'user_get_choice', toolUseId: 'call_1', question: 'Which?', choices: ['A', 'B'] },
];

/** How the responses of a thread's turns stand, over and over; the last of the thread may still be queued. */
const statuses = ['succeeded', 'failed', 'interrupted'] as const;

/**
 * Stores `threads` threads of `owner`, each with `turns` turns: a question with an attachment and its response, and its answer
 * with feedback of the owner. The last response of each thread is queued, and each thread
 * continues another one, or itself if it is the only one. Returns the ids of the threads.
 */
async function storeTurns(
  service: TestService,
  owner: Person,
  { threads, turns }: { threads: number; turns: number },
): Promise<string[]> {
  const threadIds = await addThreads(service, owner, Array<object>(threads).fill({}));
  for (const [index, threadId] of threadIds.entries()) {
    await storeThread(service, { owner, threadId, turns });
    const continuedFromId = threadIds[(index + 1) % threads] ?? null;
    await service.database.thread.update({ where: { id: threadId }, data: { continuedFromId } });
  }
  return threadIds;
}

async function storeThread(
  service: TestService,
  { owner, threadId, turns }: { owner: Person; threadId: string; turns: number },
): Promise<void> {
  const { database } = service;
  const now = new Date();
  const questions = Array.from({ length: turns }, () => createId('msg'));
  const answers = questions.map(() => createId('msg'));
  const messages = questions.flatMap((id, turn) => [
    { id, contents: everyBlock },
    { id: answers[turn] ?? '', role: 'assistant' as const, contents: everyBlock },
  ]);
  await storeMessages(service, threadId, messages);
  // As if each question had been edited.
  for (const id of questions) await database.message.update({ where: { id }, data: { turnId: id } });
  await allowImpossiblePairs(service.storage.url);
  await database.response.createMany({
    data: questions.map((messageId, turn) => {
      const status = turn === turns - 1 ? 'queued' : (statuses[turn % statuses.length] ?? 'failed');
      const finishedAt = status === 'queued' ? null : now;
      return {
        messageId,
        threadId,
        status,
        startedAt: finishedAt,
        finishedAt,
        createdAt: now,
        model: 'demo',
        inputTokens: 3,
        outputTokens: 5,
      };
    }),
  });
  for (const [turn, id] of answers.entries()) {
    await database.message.update({ where: { id }, data: { replyToId: questions[turn] ?? null, position: 0 } });
  }
  await database.attachment.createMany({
    data: questions.map((messageId) => ({
      ...{ id: createId('att'), ownerId: owner.id, messageId, name: 'tea.txt', mediaType: 'text/plain', size: 3 },
      ...{ content: Buffer.from('Tea'), digest: Buffer.alloc(32), createdAt: now, uploadedAt: now },
    })),
  });
  await database.feedback.createMany({
    data: answers.map((messageId) => ({
      ...{ messageId, userId: owner.id, positive: true, text: 'Good' },
      ...{ createdAt: now, updatedAt: now },
    })),
  });
}

interface Edge {
  node: { id: string };
}

interface Reader extends Person {
  threadId: string;
}

const it = quietTest
  .extend('one', { scope: 'file' }, ({ service }) => readerOf(service, 'one', { threads: 1, turns: 4 }))
  .extend('twenty', { scope: 'file' }, ({ service }) => readerOf(service, 'twenty', { threads: 20, turns: 4 }))
  /** A thread of 25 turns, so of 50 messages. */
  .extend('long', { scope: 'file' }, ({ service }) => readerOf(service, 'long', { threads: 1, turns: 25 }));

/** Somebody in a new organization with these threads, whose token was used before. */
async function readerOf(service: TestService, org: string, size: { threads: number; turns: number }): Promise<Reader> {
  const person = await service.person({ org });
  const [threadId = ''] = await storeTurns(service, person, size);
  await person.rest.get('/me');
  return { ...person, threadId };
}

/** The statements of a query, and what it gave. */
async function run(log: StatementLog, { graphql }: Reader, query: string) {
  let result: GraphQLResult = {};
  const statements = await log.during(async () => {
    result = (await graphql.run({ query })).body;
  });
  return { statements, result };
}

const thread = schema.getType('Thread');
const fields = isObjectType(thread) ? nestedFields(thread) : [];

describe('the paths from a thread', () => {
  pure('lead to messages, feedback, responses and their messages', () => {
    const types = new Set(fields.map(({ typeName }) => typeName));
    expect([...types]).toEqual(
      expect.arrayContaining([
        'Message',
        'Feedback',
        'ResponseComplete',
        'ImageBlock',
        'Attachment',
        'ThreadHistoryEvent',
      ]),
    );
  });
});

describe('a list of twenty threads costs as many statements as one of one', () => {
  it.for(fields)('$path › $typeName', async ({ path, selection, typeName }, { one, twenty, log }) => {
    // The history of twenty threads may have more items than an operation may ask for.
    const first = path === 'history' ? 14 : 20;
    const query = `{ threads(first: ${first}) { edges { node { id ${selection} } } } }`;
    const [few, many] = [await run(log, one, query), await run(log, twenty, query)];
    expect(many.result.errors).toBeUndefined();
    expect(JSON.stringify(many.result), `nothing of it in ${query}`).toContain(`"__typename":"${typeName}"`);
    expect(many.statements, many.statements.join('\n')).toHaveLength(few.statements.length);
  });

  it('aliases with different arguments', async ({ one, twenty, log }) => {
    const query = `{ threads { edges { node { a: messages(first: 2) { ...M } b: messages(first: 3) { ...M } c: messages(first: 2, after: "bTI") { ...M } d: messages(last: 2) { ...M } } } } }
      fragment M on MessageConnection { edges { node { id myFeedback { positive } } } }`;
    const [few, many] = [await run(log, one, query), await run(log, twenty, query)];
    expect(many.statements, many.statements.join('\n')).toHaveLength(few.statements.length);
    const { threads } = many.result.data as { threads: { edges: { node: Record<string, { edges: Edge[] }> }[] } };
    for (const { node } of threads.edges) {
      const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((alias) => node[alias]?.edges.map((edge) => edge.node.id) ?? []);
      expect([a?.length, b?.length, c?.length, d?.length]).toEqual([2, 3, 2, 2]);
      expect(d).not.toEqual(a);
      expect([b?.slice(0, 2), b?.slice(1)]).toEqual([a, c]);
    }
  });
});

describe('50 messages with their feedback and their responses take at most four statements', () => {
  const everything = `id name owner { name } messages(first: 50) { edges { node {
    id role contents { ... on TextBlock { text } } myFeedback { positive text }
    response { __typename ... on ResponseComplete { model messages { id contents { ... on TextBlock { text } } } } ... on ResponseFailed { code message } }
  } } }`;
  const thread = (inside: string) => (id: string) => `{ thread(id: "${id}") { ${inside} } }`;
  const rated = '{ edges { node { myFeedback { positive } } } }';
  const before = everything.replace('first: 50', 'before: "bTk5OTk5OTk5OQ"');
  const rename = (id: string) => `mutation { renameThread(input: {id: "${id}", name: "Rome"}) { ...A } }`;
  const fragment = (name: string, inside: string) => ` fragment ${name} on Thread { ${inside} }`;
  const two = `${fragment('A', `messages(first: 50) ${rated}`)}${fragment('B', everything)}`;
  const phrasings: [string, (threadId: string) => string, number][] = [
    ['thread', thread(everything), 3],
    ['threads', () => `{ threads(first: 1) { edges { node { ${everything} } } } }`, 4],
    ['node', (id) => `{ node(id: "${id}") { ... on Thread { ${everything} } } }`, 3],
    ['the payload of a mutation', (id) => `${rename(id)}${fragment('A', everything)}`, 4],
    ['thread, from its end', thread(everything.replace('first: 50', 'last: 50')), 3],
    ['threads, before a cursor', () => `{ threads(first: 1) { edges { node { ${before} } } } }`, 4],
    ['two fragments', (id) => `${thread('...A ...B')(id)}${two}`, 3],
    ['two aliases of one page', thread(`a: messages ${rated} ${everything}`), 3],
    ['two aliases of two pages', thread(`a: messages(first: 2) ${rated} ${everything}`), 4],
  ];

  it.for(phrasings)('%s', async ([_name, query, count], { long, log }) => {
    const { statements, result } = await run(log, long, query(long.threadId));
    expect(result.errors).toBeUndefined();
    expect(JSON.stringify(result).match(/"myFeedback":\{/g)?.length).toBeGreaterThanOrEqual(25);
    expect(statements, statements.join('\n')).toHaveLength(count);
  });

  it('a subscription, for each event', async ({ long, log }) => {
    const { results } = await long.graphql.subscribe({
      query: `subscription { threadChanged(id: "${long.threadId}") { ${everything} } }`,
    });
    const statements = await log.during(async () => {
      const { value } = await results.next();
      expect(JSON.stringify(value).match(/"myFeedback":\{/g)?.length).toBeGreaterThanOrEqual(25);
    });
    await results.return(undefined);
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(3);
  });
});

// The last of all: where one field fails, the answer comes before what the others have begun has ended.
describe('a list of twenty threads costs no more statements than one of one if a cursor is refused', () => {
  it('a page after the id of a message, which only one of the threads has', async ({ one, twenty, log }) => {
    const pageAfterFirst = async ({ graphql }: Reader) => {
      const page = await graphql.data(
        '{ threads(first: 1) { edges { node { messages(first: 1) { edges { node { id } } } } } } }',
      );
      const id = page.threads.edges[0]?.node.messages.edges[0]?.node.id;
      return `{ threads { edges { node { messages(after: "${id}") { edges { node { id } } } } } } }`;
    };
    const [few, many] = [
      await run(log, one, await pageAfterFirst(one)),
      await run(log, twenty, await pageAfterFirst(twenty)),
    ];
    expect(few.result.errors).toBeUndefined();
    expect(many.result.errors?.[0]?.extensions).toEqual({ code: 'INVALID_CURSOR' });
    expect(many.statements.length, many.statements.join('\n')).toBeLessThanOrEqual(few.statements.length);
  });
});

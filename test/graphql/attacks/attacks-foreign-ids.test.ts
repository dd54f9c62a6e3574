/**
 * The ids of another tenant, put into every place of the schema that takes one: the answer is that for an id that nothing has,
 * to the letter. The places come from the schema, so a new argument is tried without anybody thinking of it. Attachments, sent and
 * unsent, are asked for at their own addresses as well.
 */
import {
  type GraphQLArgument,
  GraphQLEnumType,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import { describe, expect } from 'vitest';
import { scopes } from '../../../src/contract.js';
import { schema } from '../../../src/graphql/schema.js';
import { createId } from '../../../src/ids.js';
import { serviceTest } from '../../support/fixtures/service.js';
import type { Person, TestService } from '../../support/service.js';
import { createThreadWith, fetchAttachment, pixel, put, uploadFile } from '../attachments/attached-file.js';
import { ask } from './ask-anything.js';

interface IdPlace {
  /** `sendMessage › input.threadId` */
  name: string;
  kind: 'query' | 'mutation' | 'subscription';
  field: string;
  /** An operation with this id in this place, and ids that nothing has in all the others. */
  operation: (id: string) => string;
}

type Input = GraphQLArgument | GraphQLInputField;

/** Every argument that takes an id, of every root field, and every field of their inputs that does. */
function idPlaces(): IdPlace[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots.flatMap((root) =>
    Object.values(root?.getFields() ?? {}).flatMap((field) =>
      placesIn(field.args).map((path) => ({
        name: `${field.name} › ${path}`,
        kind: (root?.name.toLowerCase() ?? 'query') as IdPlace['kind'],
        field: field.name,
        operation: (id) => operationOf(root?.name.toLowerCase() ?? '', field, { path, id }),
      })),
    ),
  );
}

function placesIn(inputs: readonly Input[]): string[] {
  return inputs.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    if (named.name === 'ID' || name === 'after') return [name];
    return isInputObjectType(named) ? placesIn(Object.values(named.getFields())).map((path) => `${name}.${path}`) : [];
  });
}

interface Wanted {
  path: string;
  id: string;
}

function operationOf(kind: string, field: GraphQLField<unknown, unknown>, wanted: Wanted): string {
  const args = literals(field.args, { ...wanted, above: '' });
  const errors = '... on Error { code message }';
  const selection = kind === 'mutation' ? `{ __typename ${errors} }` : '{ __typename }';
  return `${kind} { ${field.name}(${args}) ${selection} }`;
}

function literals(inputs: readonly Input[], wanted: Wanted & { above: string }): string {
  return inputs
    .filter((input) => isWanted(input, wanted) || isRequired(input))
    .map(({ name, type }) => `${name}: ${literal(type, { ...wanted, above: `${wanted.above}${name}` })}`)
    .join(', ');
}

function isWanted({ name }: Input, { path, above }: Wanted & { above: string }): boolean {
  return path === `${above}${name}` || path.startsWith(`${above}${name}.`);
}

function isRequired({ type, defaultValue }: Input): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}

function literal(type: GraphQLInputType, wanted: Wanted & { above: string }): string {
  const named = getNamedType(type);
  const value = () => {
    if (isInputObjectType(named)) {
      return `{${literals(Object.values(named.getFields()), { ...wanted, above: `${wanted.above}.` })}}`;
    }
    if (named instanceof GraphQLEnumType) return named.getValues()[0]?.name ?? '';
    if (wanted.above === wanted.path) return JSON.stringify(wanted.id);
    return { Boolean: 'true', Int: '1', Float: '1', DateTime: '"2026-01-01T00:00:00Z"' }[named.name] ?? '"none"';
  };
  return String(type).startsWith('[') ? `[${value()}]` : value();
}

const it = serviceTest()
  .extend('mallory', { scope: 'file' }, ({ service }) => service.person({ org: 'other' }))
  .extend('victim', { scope: 'file' }, ({ service }) => service.person({ org: 'victims' }))

  /** By the kind of the thing, what belongs to somebody of another organization. */
  .extend('foreign', { scope: 'file', auto: true }, async ({ service, victim }) => {
    const { threadId } = await victim.rest.readyThread({ text: 'Hi', is_private: false });
    const messages = await service.database.message.findMany({ where: { threadId } });
    const tokens = await service.database.accessToken.findMany({ where: { userId: victim.id } });
    // Not sent, sent for all of an organization to see, and sent in private.
    const [unsent = '', shown = '', secret = ''] = await Promise.all(
      [1, 2, 3].map(() => uploadFile(service, victim, pixel)),
    );
    await createThreadWith(service, victim, { text: 'All', attachmentIds: [shown] });
    await createThreadWith(service, victim, { text: 'I', attachmentIds: [secret], isPrivate: true });
    return {
      thr: [threadId],
      msg: messages.map(({ id }) => id),
      tok: tokens.map(({ id }) => id),
      usr: [victim.id],
      att: [unsent, shown, secret],
    };
  })
  .extend('before', { scope: 'file', auto: true }, ({ service, foreign }) => everything(service, foreign));

/** What the victims have, as the database has it. */
async function everything(service: TestService, foreign: Record<'thr' | 'tok', string[]>): Promise<string> {
  const { database } = service;
  const threads = await database.thread.findMany({ where: { id: { in: foreign.thr } }, include: { messages: true } });
  const tokens = await database.accessToken.findMany({ where: { id: { in: foreign.tok } } });
  const untimed = tokens.map(({ lastUsedAt: _, ...token }) => token);
  return JSON.stringify([threads, untimed], (_key, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** The first result of an operation, but for the id that was asked for. A list's own feed has no end. */
async function answerTo(service: TestService, token: string, query: string, id: string): Promise<string> {
  const [result] = await ask({ url: `${service.url}/graphql`, token, query, variables: {}, isLast: () => true });
  // One with U+0000 is read as another.
  return JSON.stringify(result).replaceAll(id.replaceAll('\0', '\ufffd'), 'ID');
}

const places = idPlaces();

describe('an id of another tenant', () => {
  it('is accepted as an argument in many places, and one of an attachment where attachments are sent', () => {
    expect(places.length).toBeGreaterThan(15);
    const sending = ['createThread › input.attachmentIds', 'sendMessage › input.attachmentIds'];
    expect(places.map(({ name }) => name)).toEqual(expect.arrayContaining(sending));
  });

  it.for(places)('is unknown: $name', async ({ name, operation }, { service, mallory: { token }, foreign }) => {
    const none = createId('thr');
    const answerToNone = await answerTo(service, token, operation(none), none);
    expect(answerToNone).toMatch(/"(code|data)"/);
    expect(answerToNone, operation(none)).not.toMatch(/GRAPHQL_(PARSE|VALIDATION)_FAILED|BAD_USER_INPUT/);
    // One of each kind; of attachments all where they may be meant.
    const { att, ...others } = foreign;
    const ids = Object.values(others).map(([id = '']) => id);
    // And one with a character that no database can hold.
    for (const id of [...ids, ...(/attachment/i.test(name) ? att : att.slice(0, 1)), 'thr_\u0000'])
      expect(await answerTo(service, token, operation(id), id), operation(id)).toBe(answerToNone);
  });

  it('is told apart from one’s own: it would be noticed', async ({ service, mallory, victim, foreign: { thr } }) => {
    const owner = await service.token(victim.id, scopes);
    const [id = ''] = thr;
    for (const { operation, kind } of places.filter(({ name }) => /^(thread|node|threadChanged) › id$/.test(name))) {
      const refused = await answerTo(service, mallory.token, operation(id), id);
      expect(await answerTo(service, owner, operation(id), id), kind).not.toBe(refused);
    }
  });
});

describe('an attachment of another tenant', () => {
  const answerAt = async (service: TestService, person: Person, method: 'GET' | 'PUT', id: string) => {
    const asked = method === 'GET' ? fetchAttachment(service, person, { id }) : put(service, person, { id, ...pixel });
    const response = await asked;
    const problem = JSON.parse(await response.text()) as { request_id: string };
    return { status: response.status, problem: { ...problem, request_id: '' } };
  };

  it.for(['GET', 'PUT'] as const)('is unknown at its address: %s', async (method, { service, mallory, foreign }) => {
    const answerToNone = await answerAt(service, mallory, method, createId('att'));
    expect(answerToNone.status).toBe(404);
    for (const id of foreign.att) expect(await answerAt(service, mallory, method, id)).toEqual(answerToNone);
  });
});

describe('after all of that', () => {
  it('the other tenant has what it had', async ({ service, foreign, before }) => {
    expect(await everything(service, foreign)).toBe(before);
  });

  it('an attachment can be sent by its owner', async ({ service, victim, foreign }) => {
    const [unsent = ''] = foreign.att;
    const sent = await createThreadWith(service, victim, { text: 'Mine', attachmentIds: [unsent] });
    expect(sent).toMatchObject({ __typename: 'PostedMessage' });
  });
});

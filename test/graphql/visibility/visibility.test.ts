/**
 * Who sees what: every field and every mutation of the schema, asked for as every kind of caller, on public and private
 * threads in every state, is what two tables say (`visibility-probes.ts`, `visibility-fields.ts`). What is added to the schema
 * fails here until the tables say who sees it.
 */
import { type GraphQLObjectType, isObjectType } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../../src/graphql/schema.js';
import { startTestService, type TestService } from '../../support/service.js';
import { Secrets } from '../attacks/secrets.js';
import { rootFields } from '../limits/whole-selection.js';
import { makeCallers } from './visibility-callers.js';
import { fields } from './visibility-fields.js';
import { rows } from './visibility-probes.js';
import { Stage } from './visibility-stage.js';
import { describeTarget, Visitor } from './visibility-visit.js';

let service: TestService;
let visitor: Visitor;
beforeAll(async () => {
  // Nothing answers, so that what is tested does not depend on the state of a response.
  service = await startTestService({ settings: { concurrency: 0 } });
  const callers = await makeCallers(service);
  const secrets = new Secrets();
  // The organization may know it.
  secrets.add({ text: callers.owner.email, isPrivate: false, scopes: ['me:read'] });
  visitor = new Visitor(new Stage(service, callers.owner, secrets), callers);
  await visitor.visitAll();
}, 600_000);
afterAll(() => service.stop());

/** Object types that are not the outcomes that say no: those hold two sentences, and the secrets are looked for in them too. */
const objects = Object.values(schema.getTypeMap()).filter(
  (type): type is GraphQLObjectType =>
    isObjectType(type) && !type.name.startsWith('__') && !roots().includes(type) && !isRefusal(type),
);

function roots(): unknown[] {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
}

function isRefusal(type: GraphQLObjectType): boolean {
  return type.name === 'InputProblem' || type.getInterfaces().some(({ name }) => name === 'Error');
}

describe('the tables', () => {
  it('name every root field of the schema', () => {
    const named = new Set(Object.keys(rows).map((name) => name.split(' ')[0]));
    const all = rootFields.map(
      ({ operation, name }) => `${operation.charAt(0).toUpperCase()}${operation.slice(1)}.${name}`,
    );
    expect([...named].sort()).toEqual(all.sort());
  });

  it('name every field of every object, and none that does not exist', () => {
    const all = objects.map((type) => [type.name, Object.keys(type.getFields()).sort()]);
    const named = Object.entries(fields).map(([name, inside]) => [name, Object.keys(inside).sort()]);
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(all));
  });
});

describe('a root field gives each caller what its row says', () => {
  it.each(Object.keys(rows))('%s', (row) => {
    const visits = visitor.visits.filter((visit) => visit.row === row);
    const outcomes = (which: 'expected' | 'outcome') =>
      Object.fromEntries(
        visits.map((each) => [`${each.caller.name}: ${describeTarget(each.target)} (${each.transport})`, each[which]]),
      );
    expect(visits.length).toBeGreaterThan(0);
    expect(outcomes('outcome')).toEqual(outcomes('expected'));
  });
});

describe('an object shows each field to those whom the table names', () => {
  it.each(Object.keys(fields))('%s', (typeName) => {
    const type = objects.find(({ name }) => name === typeName);
    const names = Object.keys(type?.getFields() ?? {});
    const seen = names.map((name) => [name, visitor.sightings.of(typeName, name)]);
    expect(Object.fromEntries(seen)).toEqual(fields[typeName]);
  });
});

describe('what somebody may not see', () => {
  it('cannot be told apart from what does not exist', () => {
    expect(visitor.told.length).toBeGreaterThan(0);
    for (const { row, hidden, unknown } of visitor.told) expect({ row, told: hidden }).toEqual({ row, told: unknown });
  });

  it('appears in no answer to them, be it data, an error or an event', () => {
    const leaks = visitor.visits
      .filter(({ leaked }) => leaked.length > 0)
      .map(({ row, transport, caller, target, leaked }) => ({
        ...{ row, transport, caller: caller.name, target: describeTarget(target), leaked: leaked.join(' ') },
      }));
    expect(leaks).toEqual([]);
  });
});

describe('a thread whose response was stopped', () => {
  it.each([
    ['stopResponse', 'mutation ($messageId: ID!) { stopResponse(messageId: $messageId) { __typename } }'],
    [
      'sendMessage',
      'mutation ($threadId: ID!) { sendMessage(input: {threadId: $threadId, text: "No", onBusy: INTERRUPT}) { __typename } }',
    ],
  ])('does not tell the e-mail address of who did it without having a name: %s', async (_what, query) => {
    const nameless = await service.person({ org: 'acme', name: null });
    const colleague = await service.person({ org: 'acme' });
    const sent = await nameless.rest.createThread({ text: 'Hi' });
    await nameless.graphql.data(query, { ...sent });
    const thread = await colleague.graphql.data(
      `query ($threadId: ID!, $messageId: ID!) { thread(id: $threadId) { interruptReason messages { edges { node { id } } } }
        response(threadId: $threadId, messageId: $messageId) { ... on ResponseInterrupted { message } } }`,
      { ...sent },
    );
    const poll = await colleague.rest.get(`/threads/${sent.threadId}/messages/${sent.messageId}/response`);
    expect(JSON.stringify([thread, poll.body])).toContain('a user without a name');
    expect(JSON.stringify([thread, poll.body])).not.toContain(nameless.email);
  });
});

it('a token that may write and not read gets the thread that it has changed, without its contents', async () => {
  const owner = await service.person();
  const { threadId } = await owner.rest.createThread({ text: 'Hi', is_private: true });
  const graphql = service.graphql(await service.token(owner.id, ['threads:write']));
  const rename = (inside: string) =>
    `mutation { renameThread(input: {id: "${threadId}", name: "Rome"}) { ... on Thread { name ${inside} } } }`;
  expect(await graphql.data(rename('state'))).toEqual({ renameThread: { name: 'Rome', state: 'WAITING' } });
  const inside = [
    'messages { edges { node { id } } }',
    'title',
    'instructions',
    'history { what }',
    'continuedFrom { id }',
    'continuedIn { id }',
  ];
  for (const each of inside) {
    expect(await graphql.failure(rename(each))).toMatchObject({
      extensions: { code: 'MISSING_SCOPE', requiredScope: 'threads:read' },
    });
  }
});

describe('a mutation', () => {
  it('changes nothing if it is rejected', () => {
    expect(visitor.refused.length).toBeGreaterThan(0);
    for (const { row, target, before, after } of visitor.refused) {
      expect({ row, target, database: after }).toEqual({ row, target, database: before });
    }
  });

  it('changes something if it is accepted, which shows that the comparison would notice', () => {
    const idle = visitor.accepted.filter(({ before, after }) => JSON.stringify(before) === JSON.stringify(after));
    const storing = idle.filter(({ row }) => !rows[row]?.storesNothing);
    expect(storing.map(({ row, target }) => `${row} (${target})`)).toEqual([]);
  });

  it('that must store nothing does not', () => {
    const accepted = visitor.accepted.filter(({ row }) => rows[row]?.storesNothing);
    expect(accepted.length).toBeGreaterThan(0);
    for (const { row, before, after } of accepted) expect({ row, database: after }).toEqual({ row, database: before });
  });
});

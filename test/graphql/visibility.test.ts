/**
 * The rule of who sees a thread, for every root field, every caller and both kinds of thread. A root field that is added to
 * the schema fails here until the table says what it gives away.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schema } from '../../src/graphql/schema.js';
import { GraphQLClient } from '../support/graphql-client.js';
import { type Person, startTestService, type TestService } from '../support/service.js';
import { ownOnly, type Probe, probes, type Seen, type Target } from './visibility-probes.js';

let service: TestService;

const callers = {
  'its owner': { publicThread: 'seen', privateThread: 'seen' },
  'a member of the same organization': { publicThread: 'seen', privateThread: 'hidden' },
  'a member of another organization': { publicThread: 'hidden', privateThread: 'hidden' },
} as const;

type CallerName = keyof typeof callers;
const people = new Map<CallerName, Person>();
beforeAll(async () => {
  service = await startTestService();
  people.set('its owner', await service.person({ org: 'acme' }));
  people.set('a member of the same organization', await service.person({ org: 'acme', role: 'admin' }));
  people.set('a member of another organization', await service.person({ org: 'globex', role: 'admin' }));
});
afterAll(() => service.stop());

function personOf(name: CallerName): Person {
  const person = people.get(name);
  if (!person) throw new Error(`There is nobody called ${name}.`);
  return person;
}

const targets = new Map<string, Promise<Target>>();

/** The thread that a field is tried on, by all callers; a field may change its own, and not that of another. */
function targetOf(field: string, isPrivate: boolean): Promise<Target> {
  const name = `${field} ${isPrivate}`;
  const target = targets.get(name) ?? createTarget(isPrivate);
  targets.set(name, target);
  return target;
}

async function createTarget(isPrivate: boolean): Promise<Target> {
  const owner = personOf('its owner');
  const sent = await owner.rest.readyThread({ text: 'Hi', is_private: isPrivate });
  const [answer] = await owner.rest.answer(sent);
  await service.token(owner.id, ['me:read']);
  const token = await service.service.database.accessToken.findFirstOrThrow({
    where: { userId: owner.id },
    orderBy: { id: 'desc' },
  });
  return { ...sent, answerId: answer?.id ?? '', owner, tokenId: token.id };
}

async function probe({ query, variables, seen }: Probe, target: Target, caller: Person): Promise<Seen> {
  const graphql = new GraphQLClient({ origin: service.url, token: caller.token });
  const operation = { query, variables: variables(target) };
  if (!query.startsWith('subscription')) return seen((await graphql.run(operation)).body, target);
  const { results } = await graphql.subscribe(operation);
  const first = await results.next();
  await results.return(undefined);
  return seen(first.value ?? {}, target);
}

describe('the table of this test', () => {
  it('names every root field of the schema', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = roots.flatMap((root) => Object.keys(root?.getFields() ?? {}));
    expect(fields.filter((name) => !ownOnly.has(name) && !probes[name])).toEqual([]);
  });
});

const cases = Object.entries(probes).flatMap(([field, entry]) =>
  Object.entries(callers).flatMap(([caller, expected]) =>
    (['publicThread', 'privateThread'] as const).map((kind) => ({
      field,
      entry,
      caller: caller as CallerName,
      isPrivate: kind === 'privateThread',
      kind: kind === 'privateThread' ? 'private' : 'public',
      expected: entry.ownerOnly ? (caller === 'its owner' ? 'seen' : 'hidden') : expected[kind],
    })),
  ),
);

describe('a root field', () => {
  it.each(cases)(
    '$field: a $kind thread is $expected for $caller',
    async ({ field, entry, caller, isPrivate, expected }) => {
      expect(await probe(entry, await targetOf(field, isPrivate), personOf(caller))).toBe(expected);
    },
  );

  it.each(['thread', 'message', 'response', 'sendMessage', 'submitFeedback', 'stopResponse', 'resumeThread'])(
    'tells a hidden thread and one that does not exist apart by nothing: %s',
    async (field) => {
      const { token } = personOf('a member of another organization');
      const graphql = new GraphQLClient({ origin: service.url, token });
      const { query, variables } = probes[field] as Probe;
      const ask = async (target: Target) => (await graphql.run({ query, variables: variables(target) })).body;
      const target = await targetOf(field, false);
      const other = (id: string) => `${id.slice(0, -4)}0000`;
      const unknown = {
        threadId: other(target.threadId),
        messageId: other(target.messageId),
        answerId: other(target.answerId),
      };
      expect(await ask({ ...target, ...unknown })).toEqual(await ask(target));
    },
  );
});

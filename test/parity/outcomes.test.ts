/**
 * Every outcome of every endpoint, brought about through REST and through GraphQL: on the same thread where nothing is
 * changed, else on two threads alike. What one says is, field by field, what the other says.
 */
import { createParser } from 'eventsource-parser';
import pg from 'pg';
import { describe, expect } from 'vitest';
import { scopes } from '../../src/contract.js';
import { generateSecret } from '../../src/modules/identity/access-token.js';
import { setBudget } from '../../src/modules/usage/budgets/manage-budgets.js';
import { Secrets } from '../graphql/attacks/secrets.js';
import { type Kind, Stage, type Target } from '../graphql/visibility/visibility-stage.js';
import { serviceTest } from '../support/fixtures/service.js';
import { type Person, patientStatements, type TestService } from '../support/service.js';
import { askGraphql, askRest, counterpartOf, type GraphqlAnswer, operationNamed, type Request } from './ask-both.js';
import { inputs } from './counterparts.js';
import { type Case, cases, requestOf } from './outcome-cases.js';
import { members, problems } from './problems.js';
import { nameOf } from './rest-objects.js';
import { translate } from './translate.js';

interface Fault {
  parameter?: string;
  pointer?: string;
}

/** Fails where a problem and the error that stands for it say different things. */
function sameProblem(request: Request, problem: Record<string, unknown>, { failure, outcome }: GraphqlAnswer): void {
  const code = String(problem['code']);
  if (members[code] === undefined) expect(failure['code']).toBe(problems[code]);
  else expect(outcome).toBe(members[code]);
  expect(problem['required_scope']).toBe(failure['requiredScope']);
  expect(problem['thread_state']).toBe(lowerCase(failure['state']));
  if (code === 'budget_exceeded') {
    const { scope, period, unit, maximum, renewsAt } = failure;
    const budget = { scope: lowerCase(scope), period: lowerCase(period), unit: lowerCase(unit), maximum };
    expect(problem).toMatchObject({ budget, renews_at: renewsAt });
  }
  if (code === 'invalid_request') {
    // Each says it in the words of its own validation; the values that are at fault are the same.
    const fields = ((failure['problems'] ?? []) as { field: string }[]).map(({ field }) => field);
    const faults = ((problem['errors'] ?? []) as Fault[]).map((fault) => placeOf(request, fault));
    expect([...new Set(faults)].sort()).toEqual([...new Set(fields)].sort());
    return;
  }
  // Before it stands the parameter that is at fault, where there is one.
  const [fault] = (problem['errors'] ?? []) as Fault[];
  expect(problem['detail']).toBe(`${fault ? `${fault.parameter}: ` : ''}${String(failure['message'])}`);
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** What GraphQL calls the value that is at fault. */
function placeOf({ endpoint }: Request, { parameter, pointer = '' }: Fault): string {
  const { parameters, body = '' } = counterpartOf(endpoint);
  const place = parameter === undefined ? inputs[body]?.fields[pointer.slice(1)] : parameters[parameter];
  return place?.split('.').at(-1) ?? `${parameter ?? pointer} has no counterpart`;
}

const shared = new Map<Kind, Target>();
/** What each of them was at first. */
const atFirst = new Map<Target, string>();

/** A key that is in use is waited for no longer than this. */
const statementLimits = { ...patientStatements, lockMs: 1000 };

const it = serviceTest({ settings: { concurrency: 0, statementLimits } })
  .extend('owner', { scope: 'file' }, ({ service }) => service.person())
  .extend('tokens', { scope: 'file' }, async ({ service, owner }) => {
    const stranger = await service.person({ org: 'other' });
    const colleague = await service.person();
    await colleague.rest.createThread({ text: 'Hello' });
    const powerless = await service.token(owner.id, []);
    const spent = await spentToken(service, owner);
    return {
      spent,
      none: undefined,
      owner: owner.token,
      stranger: stranger.token,
      unknown: generateSecret(),
      powerless,
    };
  })
  .extend('stage', { scope: 'file' }, ({ service, owner }) => new Stage(service, owner, new Secrets()));
it.beforeAll(async ({ service, owner, stage }) => {
  for (const kind of ['ready', 'archived', 'waiting', 'active', 'error', 'interrupted'] as const) {
    const target = await stage.target(kind, false);
    shared.set(kind, target);
    atFirst.set(target, await afterwards(service, owner, target.threadId));
  }
});

/** A token with whose budget nothing can be asked for. */
async function spentToken(service: TestService, owner: Person): Promise<string> {
  const { database } = service;
  const token = await service.token(owner.id, scopes);
  const { tokenId, organizationId } = await service.viewerOf({ token });
  const budget = { scope: 'token', userId: null, tokenId, period: 'month', unit: 'tokens', maximum: 0 } as const;
  await setBudget({ database, prices: new Map() }, organizationId, budget);
  return token;
}

const isRead = ({ endpoint }: Case) => operationNamed(endpoint).method === 'GET';

/** The thread for each of the two: the same one where it is not changed, because no token or no thread is accepted. */
async function targetsOf(stage: Stage, each: Case): Promise<[Target, Target]> {
  const { endpoint, on = 'ready', outcome } = each;
  const one = shared.get(on) ?? (await stage.target(on, false));
  if (isRead(each) || endpoint === 'createThread' || /^40[134]/.test(outcome)) return [one, one];
  return [await stage.target(on, false), await stage.target(on, false)];
}

/** Runs `act` while a transaction that has stored the key stays open. */
async function whileHeld(
  service: TestService,
  owner: Person,
  held: Case['heldKey'],
  targets: readonly Target[],
  act: () => Promise<void>,
): Promise<void> {
  if (held === undefined) return act();
  const operations = [...new Set(['createThread', ...targets.map(({ threadId }) => `sendMessage ${threadId}`)])];
  // Over a connection of its own: the service's are ended where a transaction stays open for long.
  const client = new pg.Client({ connectionString: service.storage.url });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO idempotency_key (user_id, operation, key, fingerprint, thread_id, message_id, created_at)
       SELECT $1, operation, $2, decode(repeat('00', 32), 'hex'), 'thr', 'msg', now() FROM unnest($3::text[]) operation`,
      [owner.id, held, operations],
    );
    await act();
  } finally {
    await client.end();
  }
}

/** What a message has changed, but for ids, times and texts of the stage. */
async function afterwards(service: TestService, owner: Person, threadId: string): Promise<string> {
  const thread = await owner.rest.get(`/threads/${threadId}`);
  const messages = await owner.rest.get(`/threads/${threadId}/messages`);
  const rated = await service.database.feedback.findMany({
    where: { message: { threadId } },
    select: { positive: true, text: true, userId: true },
  });
  const all = JSON.stringify([thread.body, messages.body, rated], null, 1);
  return all.replaceAll(/secret\d+|(?:thr|msg|att)_\w+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…');
}

type RestAnswer = Awaited<ReturnType<typeof askRest>>;

function eventsOf(text: string): Record<string, unknown>[] {
  const events: Record<string, unknown>[] = [];
  const parser = createParser({
    onEvent: ({ event, id, data }) => {
      const inside = Object.entries(JSON.parse(data) as object).map(([name, value]) => [`data.${name}`, value]);
      events.push({ event, id, ...Object.fromEntries(inside) });
    },
  });
  parser.feed(text);
  return events;
}

/** The same events in the words of REST, up to a restart, where REST ends. */
function translatedEvents({ results }: GraphqlAnswer): Record<string, unknown>[] {
  const events = results.map(({ data }) => data?.['responseEvents'] as { __typename: string; cursor: string });
  const names: Record<string, string> = { ResponseToken: 'token', ResponseError: 'error', ResponseDone: 'done' };
  const restart = events.findIndex(({ __typename }) => __typename === 'ResponseRestarted');
  const shown = events.slice(0, restart === -1 ? undefined : restart).filter(({ __typename }) => names[__typename]);
  const message = 'The text so far is void, and the response starts over. Drop that text and open the stream again.';
  const last = { event: 'error', id: events[restart]?.cursor, 'data.message': message };
  return [
    ...shown.map((event) => translate(`event ${names[event.__typename]}`, event)),
    ...(restart === -1 ? [] : [last]),
  ];
}

function sameSuccess(request: Request, rest: RestAnswer, graphql: GraphqlAnswer): void {
  const { responses, method } = operationNamed(request.endpoint);
  const [[type, content] = []] = Object.entries(responses[rest.status]?.content ?? {});
  const name = nameOf(content?.schema ?? {});
  if (type === 'text/event-stream') {
    expect(eventsOf(String(rest.body))).toEqual(translatedEvents(graphql));
    expect(eventsOf(String(rest.body)).length).toBeGreaterThan(0);
  } else if (name === undefined) expect(rest.body).toBeUndefined();
  else if (method === 'GET') {
    const { limit = 50 } = request.parameters ?? {};
    const more = name.endsWith('Page') ? { limit: Math.min(Number(limit), 200) } : {};
    expect(rest.body).toEqual({ ...translate(name, graphql.value), ...more });
  } else {
    expect(Object.keys(rest.body)).toEqual(Object.keys(translate(name, graphql.value)));
    expect(String(rest.headers.get('idempotency-replayed') === 'true')).toBe(
      String((graphql.value as { replayed: boolean }).replayed),
    );
  }
}

const titled = cases.map((each) => ({ ...each, title: [each.outcome, each.when].filter(Boolean).join(', ') }));

describe('an outcome of REST and its counterpart', () => {
  it.for(titled)('$endpoint: $title', async (each, { service, owner, tokens, stage }) => {
    const { endpoint, outcome, token = 'owner', first } = each;
    const [one, other] = await targetsOf(stage, each);
    const asked = { endpoint, token: tokens[token] };
    const requests = [one, other].map((target) => ({ ...asked, ...requestOf(each, target) })) as [Request, Request];
    if (first) {
      await askRest(service.url, { ...asked, ...first(one) });
      await askGraphql(service.url, { ...asked, ...first(other) });
    }
    await whileHeld(service, owner, each.heldKey, [one, other], async () => {
      const [rest, graphql] = await Promise.all([
        askRest(service.url, requests[0]),
        askGraphql(service.url, requests[1]),
      ]);
      const code = rest.status >= 400 ? ` ${String(rest.body['code'])}` : '';
      const expected = [outcome, counterpartOf(endpoint).outcomes[outcome]];
      expect(
        [`${rest.status}${code}`, graphql.outcome],
        JSON.stringify([rest.body, graphql.results]).slice(0, 2000),
      ).toEqual(expected);
      if (rest.status >= 400) sameProblem(requests[0], rest.body, graphql);
      else sameSuccess(requests[0], rest, graphql);
      if (!isRead(each))
        expect(await changedBy(service, owner, one, rest)).toBe(await changedBy(service, owner, other, graphql));
    });
  });

  it('changes nothing where no token or no thread was accepted', async ({ service, owner }) => {
    for (const [{ threadId }, was] of atFirst) expect(await afterwards(service, owner, threadId)).toBe(was);
  });
});

/** The thread that was made, or else the one that was written to. */
function changedBy(
  service: TestService,
  owner: Person,
  target: Target,
  answer: RestAnswer | GraphqlAnswer,
): Promise<string> {
  const made = 'body' in answer ? answer.body?.['thread_id'] : (answer.value as { threadId?: string } | null)?.threadId;
  return afterwards(service, owner, String(made ?? target.threadId));
}

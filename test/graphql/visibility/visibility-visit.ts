/**
 * Visits every field and mutation as every caller, and keeps what came of it: outcomes, secrets that reached the wrong ones,
 * changes that a refusal made, and who was given what.
 */
import { isObjectType } from 'graphql';
import { type Scope, scopes } from '../../../src/contract.js';
import { schema } from '../../../src/graphql/schema.js';
import { encodeChangeCursor } from '../../../src/modules/feeds/change-cursor.js';
import { readHistory } from '../../../src/modules/feeds/read-changes.js';
import type { GraphQLResult } from '../../support/clients/graphql-client.js';
import { ask } from '../attacks/ask-anything.js';
import type { Secret } from '../attacks/secrets.js';
import { rootFields, wholeOperation } from '../limits/whole-selection.js';
import { type Caller, type Callers, mayKnow, type Who } from './visibility-callers.js';
import { type Outcome, type Row, rows } from './visibility-probes.js';
import { readEverything } from './visibility-snapshot.js';
import { kinds, type Stage, type Target } from './visibility-stage.js';

/** Name for a failure: `private, archived`. */
export function describeTarget({ kind, isPrivate }: Target): string {
  return `${isPrivate ? 'private' : 'public'}, ${kind}`;
}

/** The row of the table; throws where there is none. */
function rowOf(name: string): Row {
  const row = rows[name];
  if (!row) throw new Error(`There is no row ${name}.`);
  return row;
}

/** True where a mutation must change nothing. */
function isRefused(row: Row, caller: Caller, target: Target): boolean {
  return expectedOf(row, caller, target) !== 'value';
}

/** In the words of the table; `UNAUTHENTICATED` and `MISSING_SCOPE` with the scope come before it. */
function expectedOf(row: Row, { who, scopes }: Caller, { isPrivate }: Target): string {
  if (who === 'nobody') return 'UNAUTHENTICATED';
  if (!scopes.has(row.scope)) return `MISSING_SCOPE ${row.scope}`;
  const [owner, colleague, stranger] = isPrivate ? row.private : row.public;
  const outcome = { owner, colleague, stranger }[who];
  return outcome === 'value' && row.inside && !scopes.has(row.inside) ? `MISSING_SCOPE ${row.inside}` : outcome;
}

/** The same of an answer; `sought` is the id of what a list should have. */
function outcomeOf(
  results: readonly GraphQLResult[],
  { field, sought }: { field: string; sought: string | undefined },
) {
  const [failure] = results.flatMap(({ errors }) => errors ?? []);
  if (failure) {
    const { code, requiredScope } = failure.extensions ?? {};
    return [code ?? failure.message, requiredScope].filter(Boolean).join(' ');
  }
  if (sought !== undefined) return JSON.stringify(results).includes(sought) ? 'value' : ('absent' satisfies Outcome);
  const value = results[0]?.data?.[field] as { __typename?: string } | null | undefined;
  if (!value) return value === null ? 'null' : 'nothing at all';
  return value.__typename?.endsWith('Error') && value.__typename !== 'ResponseError' ? value.__typename : 'value';
}

/** Streams that have no end of their own are left where nothing new would come. */
function isLast({ data, errors }: GraphQLResult, { kind }: Target): boolean {
  if (errors || data?.['threadChanged'] || data?.['threadPresence']) return true;
  const event = (data?.['threadsChanged'] ?? data?.['responseEvents']) as { __typename: string } | undefined;
  const type = event?.__typename;
  return (
    type === 'ThreadsCaughtUp' ||
    (kind === 'active' && type === 'ResponseToken') ||
    (kind === 'waiting' && type === 'ResponseStatus')
  );
}

/** What an object is part of: a thread of one kind, or nothing but what is the caller's own. */
type Place = 'public' | 'private' | 'own';

const places: readonly Place[] = ['public', 'private', 'own'];
const order: readonly Who[] = ['owner', 'colleague', 'stranger'];

type Value = { __typename?: string } & Record<string, unknown>;

/** The field that tells which thread an object is part of, or that it is part of none. */
const namedBy: Record<string, string> = {
  Thread: 'id',
  Message: 'threadId',
  Feedback: 'messageId',
  PostedMessage: 'threadId',
  StoppedResponse: 'messageId',
  ThreadHidden: 'threadId',
  AnnouncedWriting: 'threadId',
  AccessToken: 'id',
};

/** Which caller was given a value of which field, within what: found by walking through the answers along the schema. */
class Sightings {
  readonly #seen = new Map<string, Set<string>>();

  /** `privacy` says of known ids whether their thread is private. */
  constructor(private readonly privacy: ReadonlyMap<string, boolean>) {}

  /** Takes note of all that is in a value, which has to say of each object in it which type that is. */
  note(who: Who, value: unknown, place: Place): void {
    if (Array.isArray(value)) for (const item of value) this.note(who, item, place);
    else if (isValue(value)) this.#noteObject(who, value, place);
  }

  /** `public: owner, colleague | private: owner`; '' where nobody was given a value. */
  of(typeName: string, fieldName: string): string {
    const found = places.map((place) => {
      const seers = this.#seen.get(`${typeName}.${fieldName} ${place}`);
      return seers ? `${place}: ${order.filter((who) => seers.has(who)).join(', ')}` : '';
    });
    return found.filter(Boolean).join(' | ');
  }

  #noteObject(who: Who, value: Value, outer: Place): void {
    const object = schema.getType(value.__typename ?? '');
    if (!isObjectType(object)) throw new Error(`An object without its type: ${JSON.stringify(value).slice(0, 200)}`);
    const place = this.#placeOf(object.name, value, outer);
    for (const name of Object.keys(object.getFields())) {
      const inside = value[name];
      if (inside === null || inside === undefined) continue;
      const key = `${object.name}.${name} ${place}`;
      this.#seen.set(key, (this.#seen.get(key) ?? new Set()).add(who));
      this.note(who, inside, place);
    }
  }

  #placeOf(typeName: string, value: Value, outer: Place): Place {
    const field = namedBy[typeName];
    if (field === undefined) return outer;
    const isPrivate = this.privacy.get(String(value[field]));
    return isPrivate === undefined ? 'own' : isPrivate ? 'private' : 'public';
  }
}

function isValue(value: unknown): value is Value {
  return typeof value === 'object' && value !== null;
}

/** What a secret may need (`Secrets`). */
const seeing: readonly Scope[] = ['me:read', 'threads:read', 'threads:write'];

type Transport = '/graphql' | '/graphql/stream';

interface Visit {
  row: string;
  transport: Transport;
  caller: Caller;
  target: Target;
  expected: string;
  outcome: string;
  leaked: string[];
}

interface Changed {
  row: string;
  target: string;
  before: unknown;
  after: unknown;
}

export class Visitor {
  readonly visits: Visit[] = [];
  /** The whole database around the refused calls of a mutation, and around one that was accepted. */
  readonly refused: Changed[] = [];
  readonly accepted: Changed[] = [];
  /** What a colleague is told of a private thread, and of one that there is not. */
  readonly told: { row: string; hidden: GraphQLResult[]; unknown: GraphQLResult[] }[] = [];
  readonly sightings: Sightings;
  readonly #operations = new Map<string, string>();
  /** What was read, by the words of the question: a list of everything is the same whatever target it is asked for. */
  readonly #asked = new Map<string, Promise<GraphQLResult[]>>();
  #feedCursor = '';

  constructor(
    private readonly stage: Stage,
    private readonly callers: Callers,
  ) {
    this.sightings = new Sightings(stage.privacy);
  }

  async visitAll(): Promise<void> {
    const { database } = this.stage.service;
    this.#feedCursor = encodeChangeCursor({ history: await readHistory(database), since: '1:1:', pagination: null });
    await this.stage.hiddenThread();
    await this.stage.unsentFile();
    const targets: Target[] = [];
    for (const kind of kinds) targets.push(await this.stage.target(kind, false), await this.stage.target(kind, true));
    for (const name of Object.keys(rows).filter((row) => !row.startsWith('Mutation'))) await this.#read(name, targets);
    for (const name of Object.keys(rows).filter((row) => row.startsWith('Mutation'))) {
      await this.#change(name, true);
      if (!rowOf(name).isApart) await this.#change(name, false);
    }
  }

  /** People see threads of every kind; a token is the same for all of them, and so is the other transport. */
  async #read(name: string, targets: readonly Target[]): Promise<void> {
    const { people, hindered } = this.callers;
    const plain = targets.filter(({ kind }) => kind === 'ready');
    const secret = plain.filter(({ isPrivate }) => isPrivate);
    const looked = rowOf(name).isApart ? secret : targets;
    const noOne = hindered.filter((caller) => isSample(name, caller));
    await this.#tell(name, plain);
    await Promise.all([
      ...looked.flatMap((target) => people.map((caller) => this.#visit({ name, target, caller }))),
      ...plain.flatMap((target) =>
        hindered.filter((caller) => shows(name, caller, target)).map((caller) => this.#visit({ name, target, caller })),
      ),
      ...secret.flatMap((target) => [...people, ...noOne].map((caller) => this.#visit({ name, target, caller }, true))),
    ]);
  }

  /** All who are refused try one thread, over the other transport a private one. Each of the others gets one of their own. */
  async #change(name: string, isPrivate: boolean): Promise<void> {
    const { database } = this.stage.service;
    // Leftovers would only slow down the comparisons.
    await database.thread.deleteMany();
    const kind = rowOf(name).on ?? 'ready';
    const target = await this.stage.target(kind, isPrivate);
    const { people, hindered } = this.callers;
    const all = [...people, ...hindered];
    const refused = all.filter((caller) => isRefused(rowOf(name), caller, target));
    const may = all.filter((caller) => !refused.includes(caller));
    const accepted = may.filter((caller) => people.includes(caller) || shows(name, caller, target));
    const turnedAway = refused.filter((caller) => people.includes(caller) || isSample(name, caller));
    await this.#around({ name, target, into: this.refused }, async () => {
      await this.#tell(name, [target]);
      await Promise.all(turnedAway.map((caller) => this.#visit({ name, target, caller })));
      // Who asks is found out before the thread is: one of the two shows it for the other transport.
      if (isPrivate) await Promise.all(turnedAway.map((caller) => this.#visit({ name, target, caller }, true)));
    });
    for (const [index, caller] of accepted.entries()) {
      const own = isAboutSelf(name) ? target : await this.stage.target(kind, isPrivate);
      const visit = () => this.#visit({ name, target: own, caller });
      if (index > 0) await visit();
      else await this.#around({ name, target: own, into: this.accepted }, visit);
    }
  }

  async #around({ name, target, into }: { name: string; target: Target; into: Changed[] }, act: () => Promise<void>) {
    const { database } = this.stage.service;
    const before = await readEverything(database);
    await act();
    into.push({ row: name, target: describeTarget(target), before, after: await readEverything(database) });
  }

  async #tell(name: string, targets: readonly Target[]): Promise<void> {
    const target = targets.find(({ isPrivate }) => isPrivate);
    const caller = this.callers.people.find(({ who }) => who === 'colleague');
    if (!target || !caller) return;
    const other = (id: string) => `${id.slice(0, -4)}0000`;
    const { threadId, questionId, answerId, lastQuestionId, tokenId, sessionId } = target;
    const unknown = {
      ...{ ...target, threadId: other(threadId), tokenId: other(tokenId), questionId: other(questionId) },
      ...{ answerId: other(answerId), lastQuestionId: other(lastQuestionId), sessionId: other(sessionId) },
    };
    if (expectedOf(rowOf(name), caller, target) === 'value' || rowOf(name).finds) return;
    const ask = async (asked: Target) => (await this.#ask({ name, target: asked, caller })).results;
    this.told.push({ row: name, hidden: await ask(target), unknown: await ask(unknown) });
  }

  async #visit({ name, target, caller }: Asked, onStream = false): Promise<void> {
    const row = rowOf(name);
    const transport = onStream ? '/graphql/stream' : '/graphql';
    const { root, variables, results } = await this.#ask({ name, target, caller }, transport);
    const outcome = outcomeOf(results, { field: root.name, sought: row.finds?.(target) });
    const isOwn = row.finds !== undefined || isAboutSelf(name);
    const place = isOwn ? 'own' : target.isPrivate ? 'private' : 'public';
    for (const { data } of results) this.sightings.note(caller.who, data?.[root.name], place);
    // What a caller has just sent is no news.
    const sent = JSON.stringify(variables);
    const isKnown = (secret: Secret) => mayKnow(caller, secret) || sent.includes(secret.text);
    const leaked = this.stage.secrets.leaked(JSON.stringify(results), isKnown);
    const expected = expectedOf(row, caller, target);
    this.visits.push({ row: name, transport, caller, target, expected, outcome, leaked });
  }

  async #ask({ name, target, caller }: Asked, transport: Transport = '/graphql') {
    const row = rowOf(name);
    const root = rootFields.find((each) => pathOf(each) === name.split(' ')[0]?.toLowerCase());
    if (!root) throw new Error(`The schema has no ${name}: remove the row.`);
    const variables = row.arguments({ ...target, feedCursor: this.#feedCursor });
    const query = this.#operations.get(name) ?? wholeOperation(root, Object.keys(variables), row.only);
    this.#operations.set(name, query);
    const question = JSON.stringify([transport, query, variables, caller.token]);
    const url = `${this.stage.service.url}${transport}`;
    const read = this.#asked.get(question);
    const asked =
      read ?? ask({ url, token: caller.token, query, variables, isLast: (result) => isLast(result, target) });
    if (root.operation !== 'mutation') this.#asked.set(question, asked);
    return { root, variables, results: await asked };
  }
}

/**
 * What a token is refused to, it is refused to with fewer scopes as well. What a token of the owner is enough for, one thread shows: its
 * privacy has no part in that, nor has the want of a scope that nothing needs which could be seen.
 */
function shows(name: string, caller: Caller, target: Target): boolean {
  if (isRefused(rowOf(name), caller, target)) return isSample(name, caller);
  return target.isPrivate && seeing.some((scope) => !caller.scopes.has(scope));
}

/** What even a stranger may do has nothing to do with the thread. */
function isAboutSelf(name: string): boolean {
  return rowOf(name).public[2] === 'value';
}

/** Nobody, and a token that lacks one needed scope alone. */
function isSample(name: string, { token, scopes: granted }: Caller): boolean {
  const { scope, inside = scope } = rowOf(name);
  return token === undefined || (granted.size === scopes.length - 1 && !(granted.has(scope) && granted.has(inside)));
}

interface Asked {
  name: string;
  target: Target;
  caller: Caller;
}

function pathOf({ operation, name }: { operation: string; name: string }): string {
  return `${operation}.${name}`.toLowerCase();
}

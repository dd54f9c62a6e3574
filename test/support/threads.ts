/** Threads in bulk and in states that no operation of REST leads to, and the whole of a list, page by page. */
import { createId } from '../../src/ids.js';
import type { RestClient } from './clients/rest-client.js';
import type { PageBody, ThreadBody } from './clients/rest-types.js';
import { allowImpossiblePairs } from './database/impossible-pairs.js';
import type { Person, TestService } from './service.js';

export interface ThreadSeed {
  name?: string | null;
  isPrivate?: boolean;
  archived?: boolean;
  state?: ThreadBody['state'];
  createdAt?: Date;
  updatedAt?: Date;
  /** Twice the number of messages that the thread is taken to have. */
  lastSequence?: number;
}

/** Stores threads of `owner` as they are described, without messages, and gives their ids. Times left out are now. */
export async function addThreads(service: TestService, owner: Person, seeds: readonly ThreadSeed[]): Promise<string[]> {
  const { database } = service;
  const { organizationId } = await database.user.findUniqueOrThrow({ where: { id: owner.id } });
  const data = seeds.map(({ createdAt = new Date(), updatedAt = createdAt, state = 'ready', ...seed }) => {
    const queuedAt = state === 'waiting' ? createdAt : null;
    return { id: createId('thr'), organizationId, ownerId: owner.id, createdAt, updatedAt, state, queuedAt, ...seed };
  });
  if (data.some(({ state }) => state === 'waiting' || state === 'active'))
    await allowImpossiblePairs(service.storage.url);
  await database.thread.createMany({ data });
  return data.map(({ id }) => id);
}

/** One thread of `owner`, as described. */
export async function addThread(service: TestService, owner: Person, seed: ThreadSeed = {}): Promise<string> {
  const [id = ''] = await addThreads(service, owner, [seed]);
  return id;
}

let organizations = 0;

/** Somebody in an organization of their own, so that no other thread is in their lists. */
export function newcomer(service: TestService, options: { name?: string | null } = {}): Promise<Person> {
  organizations += 1;
  return service.person({ org: `newcomer-${organizations}`, ...options });
}

/** Somebody else in the organization of `person`. */
export async function colleagueOf(
  service: TestService,
  { id }: Person,
  options: { role?: 'admin' | 'member'; name?: string | null } = {},
): Promise<Person> {
  const { database } = service;
  const { organization } = await database.user.findUniqueOrThrow({ where: { id }, select: { organization: true } });
  return service.person({ org: organization.slug, ...options });
}

/** A newcomer with threads of these names, each a second older than the one before it. */
export async function personWithThreads(service: TestService, names: readonly string[]): Promise<Person> {
  const person = await newcomer(service);
  const newestMs = Date.now();
  const seeds = names.map((name, index) => ({ name, createdAt: new Date(newestMs - index * 1000) }));
  await addThreads(service, person, seeds);
  return person;
}

/** A page of the list; throws for anything but 200. */
export async function listThreads(
  rest: RestClient,
  query: Record<string, string | number | boolean> = {},
): Promise<PageBody<ThreadBody>> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const reply = await rest.get<PageBody<ThreadBody>>(`/threads?${search}`);
  if (reply.status !== 200) throw new Error(`GET /threads?${search} → ${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body;
}

/** The ids of the threads of a page, in order. */
export async function listIds(
  rest: RestClient,
  query: Record<string, string | number | boolean> = {},
): Promise<string[]> {
  return (await listThreads(rest, query)).data.map(({ id }) => id);
}

/** The four orders of the list. */
export const orders = (['updated_at', 'created_at'] as const).flatMap((sort_by) =>
  (['desc', 'asc'] as const).map((sort_dir) => ({ sort_by, sort_dir })),
);

/** The threads of all pages, in the order in which they were served. A search may end any page early, by the clock. */
export async function collectThreads(
  rest: RestClient,
  query: Record<string, string | number | boolean>,
): Promise<ThreadBody[]> {
  let page = await listThreads(rest, query);
  const served = [...page.data];
  while (page.has_more) {
    page = await listThreads(rest, { ...query, after: String(page.last_id) });
    served.push(...page.data);
  }
  return served;
}

/** The ids of all pages, in the order in which they were served. */
export async function collectPages(
  rest: RestClient,
  query: Record<string, string | number | boolean>,
): Promise<string[]> {
  return (await collectThreads(rest, query)).map(({ id }) => id);
}

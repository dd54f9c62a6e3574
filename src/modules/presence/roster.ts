/**
 * Who is in which thread, as each node reports it. A report holds for a limited time, so what a lost node reported is
 * forgotten without a farewell. The size is bounded: beyond the bounds newcomers are not shown.
 */
export interface Place {
  threadId: string;
  userId: string;
}

/** What one node knows of one person in one thread, in milliseconds of this process's clock. */
export interface Sign {
  readingUntil: number;
  writingUntil: number;
}

export interface PresentUser {
  userId: string;
  isWriting: boolean;
}

/** The signs of one person, by node. */
type Signs = Map<string, Sign>;
type People = Map<string, Signs>;

/** People of one thread. */
export const mostPeople = 1_000;
/** Signs of all threads: about 10 MB. */
export const mostSigns = 20_000;

export class Roster {
  readonly #threads = new Map<string, People>();
  readonly #onChange: (threadId: string) => void;
  #size = 0;

  /** `onChange` is called when somebody comes, goes, or begins or ceases to write. */
  constructor(onChange: (threadId: string) => void) {
    this.#onChange = onChange;
  }

  /** The number of signs. */
  get size(): number {
    return this.#size;
  }

  /** Whether anybody is in the thread. */
  has(threadId: string): boolean {
    return this.#threads.has(threadId);
  }

  get({ threadId, userId }: Place, node: string): Sign | undefined {
    return this.#threads.get(threadId)?.get(userId)?.get(node);
  }

  /** Replaces what the node knows of the person. Returns whether there was room. */
  put(place: Place, node: string, { sign, now }: { sign: Sign; now: number }): boolean {
    const { threadId, userId } = place;
    const before = this.#stateOf(place, now);
    if (isOver(sign, now)) this.#remove(place, node);
    else if (!this.#add(place, node, sign)) return false;
    const after = this.#stateOf({ threadId, userId }, now);
    if (before !== after) this.#onChange(threadId);
    return true;
  }

  /** The person has sent what they were writing, whichever node knew of it. Returns whether they were writing. */
  endWriting(place: Place, now: number): boolean {
    const wasWriting = this.#stateOf(place, now) === 'writing';
    for (const [node, sign] of this.#signsOf(place) ?? []) {
      this.put(place, node, { sign: { ...sign, writingUntil: 0 }, now });
    }
    return wasWriting;
  }

  /** Removes what no longer holds. */
  expire(now: number): void {
    for (const [threadId, people] of this.#threads) {
      const ended = [...people].flatMap(([userId, signs]) => this.#expireSigns({ threadId, userId }, signs, now));
      if (ended.length > 0) this.#onChange(threadId);
    }
  }

  /** Everybody in the thread, whoever writes first, otherwise by id. */
  peopleIn(threadId: string, now: number): PresentUser[] {
    const present: PresentUser[] = [];
    for (const userId of this.#threads.get(threadId)?.keys() ?? []) {
      const state = this.#stateOf({ threadId, userId }, now);
      if (state !== 'absent') present.push({ userId, isWriting: state === 'writing' });
    }
    return present.sort((a, b) => Number(b.isWriting) - Number(a.isWriting) || (a.userId < b.userId ? -1 : 1));
  }

  /** The nodes of whose signs something ended. */
  #expireSigns(place: Place, signs: Signs, now: number): string[] {
    const ended = [...signs].filter(([_node, sign]) => isOver(sign, now) || hasCeasedWriting(sign, now));
    for (const [node, sign] of ended) {
      if (isOver(sign, now)) this.#remove(place, node);
      else signs.set(node, { ...sign, writingUntil: 0 });
    }
    return ended.map(([node]) => node);
  }

  #signsOf({ threadId, userId }: Place): Signs | undefined {
    return this.#threads.get(threadId)?.get(userId);
  }

  #stateOf(place: Place, now: number): 'absent' | 'reading' | 'writing' {
    const signs = [...(this.#signsOf(place)?.values() ?? [])].filter((sign) => !isOver(sign, now));
    if (signs.length === 0) return 'absent';
    return signs.some(({ writingUntil }) => writingUntil > now) ? 'writing' : 'reading';
  }

  #add({ threadId, userId }: Place, node: string, sign: Sign): boolean {
    const people: People = this.#threads.get(threadId) ?? new Map();
    const signs: Signs = people.get(userId) ?? new Map();
    if (!signs.has(node)) {
      const isFull = this.#size >= mostSigns || (!people.has(userId) && people.size >= mostPeople);
      if (isFull) return false;
      this.#size += 1;
    }
    this.#threads.set(threadId, people.set(userId, signs.set(node, sign)));
    return true;
  }

  #remove({ threadId, userId }: Place, node: string): void {
    const people = this.#threads.get(threadId);
    const signs = people?.get(userId);
    if (!people || !signs?.delete(node)) return;
    this.#size -= 1;
    if (signs.size === 0) people.delete(userId);
    if (people.size === 0) this.#threads.delete(threadId);
  }
}

/** Whether the end of writing was not noticed yet. */
function hasCeasedWriting({ writingUntil }: Sign, now: number): boolean {
  return writingUntil !== 0 && writingUntil <= now;
}

function isOver({ readingUntil, writingUntil }: Sign, now: number): boolean {
  return readingUntil <= now && writingUntil <= now;
}

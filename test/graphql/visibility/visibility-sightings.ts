/** Which caller was given a value of which field, within what: found by walking through the answers along the schema. */
import { isObjectType } from 'graphql';
import { schema } from '../../../src/graphql/schema.js';
import type { Who } from './visibility-callers.js';

/** What an object is part of: a thread of one kind, or nothing but what is the caller's own. */
export type Place = 'public' | 'private' | 'own';

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

export class Sightings {
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

/**
 * A list, loaded at the start and after each change. A notice says what changed, and the focus moves to the
 * heading when the focused entry is removed.
 */
import { type RefObject, useRef, useState } from 'react';
import type { Found } from '../../../graphql/document-types/document-types.js';
import type { Document } from '../../api/graphql.js';
import { useQuery } from '../../api/use-query.js';

export interface List<Item> {
  /** Null until it is loaded. */
  items: Item[] | null;
  problem: string | null;
  /** Says what changed last. */
  notice: string | null;
  heading: RefObject<HTMLHeadingElement | null>;
  load: () => Promise<void>;
  /** Reloads the list after a change and shows a notice. */
  changed: (words: string) => Promise<void>;
  /** The same after an entry was removed. */
  removed: (words: string) => Promise<void>;
}

/** `itemsOf` takes the items from what the query finds. */
export function useList<Data, Variables extends object, Item>(
  query: Document<Data, Variables>,
  variables: Variables,
  itemsOf: (found: Found<Data>) => Item[],
): List<Item> {
  const { found, problem, load } = useQuery(query, variables);
  const [notice, setNotice] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const changed = async (words: string) => {
    await load();
    setNotice(words);
  };
  const removed = async (words: string) => {
    await changed(words);
    // Does not interrupt a user who is typing.
    if (!document.activeElement?.matches('input, textarea, select')) heading.current?.focus();
  };
  const items = found === null ? null : itemsOf(found);
  return { items, problem, notice, heading, load, changed, removed };
}

/**
 * A list, loaded at the start and after each change. A notice says what changed, and the focus moves to the
 * heading when the focused entry is removed.
 */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Found } from '../../../graphql/document-types/document-types.js';
import { runQuery } from '../../api/client.js';
import type { Document } from '../../api/graphql.js';

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
  const [found, setFound] = useState<Found<Data> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const question = useRef(0);
  // Each render has another object with the same variables.
  const wanted = JSON.stringify(variables);
  const load = useCallback(async () => {
    question.current += 1;
    const asked = question.current;
    const outcome = await runQuery<Data, Variables>(query, JSON.parse(wanted));
    // A later request may have been answered first.
    if (asked !== question.current) return;
    if (outcome.ok) setFound(outcome.value);
    setProblem(outcome.ok ? null : outcome.message);
  }, [query, wanted]);
  useEffect(() => void load(), [load]);
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

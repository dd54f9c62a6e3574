/**
 * A list, loaded at the start and after each change. A notice says what changed, and the focus moves to the
 * heading when the focused entry is removed.
 */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Outcome } from '../../api/client.js';

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

/** `fetchItems` must be a stable function. */
export function useList<Item>(fetchItems: () => Promise<Outcome<Item[]>>): List<Item> {
  const [items, setItems] = useState<Item[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const question = useRef(0);
  const load = useCallback(async () => {
    question.current += 1;
    const asked = question.current;
    const outcome = await fetchItems();
    // A later request may have been answered first.
    if (asked !== question.current) return;
    if (outcome.ok) setItems(outcome.value);
    setProblem(outcome.ok ? null : outcome.message);
  }, [fetchItems]);
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
  return { items, problem, notice, heading, load, changed, removed };
}

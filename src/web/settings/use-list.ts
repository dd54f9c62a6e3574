/**
 * A list of the settings: loaded at the start and after each change. What was changed last is said in words, and the focus goes
 * to the heading where the entry that had it is gone.
 */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { Outcome } from '../api/client.js';

export interface List<Item> {
  /** Null until it is there. */
  items: Item[] | null;
  problem: string | null;
  /** What was changed last, in words. */
  notice: string | null;
  heading: RefObject<HTMLHeadingElement | null>;
  load: () => Promise<void>;
  /** Loads the list anew after a change, and says what has changed. */
  changed: (words: string) => Promise<void>;
  /** The same where an entry is gone. */
  removed: (words: string) => Promise<void>;
}

/** `fetchItems` must be the same function each time. */
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
    // The answer to a later question may have come before.
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
    // Whoever writes something else by then is left alone.
    if (!document.activeElement?.matches('input, textarea, select')) heading.current?.focus();
  };
  return { items, problem, notice, heading, load, changed, removed };
}

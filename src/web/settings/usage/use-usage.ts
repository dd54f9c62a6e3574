/** The usage of a span, and the names of the members. What was shown stays until the next is there. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { runQuery } from '../../api/client.js';
import { membersQuery } from '../../api/member-documents.js';
import type { Usage } from '../../api/types.js';
import { usageQuery } from '../../api/usage-documents.js';
import { displayName } from '../../ui/display-name.js';
import type { Span } from './spans.js';

export interface ShownUsage extends Usage {
  span: Span;
  /** By the id of the user; those who are no longer members have none. */
  names: ReadonlyMap<string, string>;
}

export interface UsageState {
  usage: ShownUsage | null;
  problem: string | null;
  isLoading: boolean;
  load: () => void;
}

export function useUsage({ from, to }: Span): UsageState {
  const [usage, setUsage] = useState<ShownUsage | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(true);
  const question = useRef(0);
  const load = useCallback(async () => {
    question.current += 1;
    const asked = question.current;
    setLoading(true);
    const [found, members] = await Promise.all([runQuery(usageQuery, { from, to }), runQuery(membersQuery, {})]);
    // Another span may have been chosen meanwhile.
    if (asked !== question.current) return;
    setLoading(false);
    const refusal = [found, members].find((outcome) => !outcome.ok);
    setProblem(refusal && !refusal.ok ? refusal.message : null);
    if (!found.ok || !members.ok) return;
    const names = members.value.members.map(({ id, name, email }) => [id, displayName(name, email)] as const);
    setUsage({ ...found.value, span: { from, to }, names: new Map(names) });
  }, [from, to]);
  useEffect(() => void load(), [load]);
  return { usage, problem, isLoading, load: () => void load() };
}

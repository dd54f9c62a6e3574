/** The usage of a span. What was shown stays until the next is there. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { runQuery } from '../../api/client.js';
import type { Usage } from '../../api/types.js';
import { usageQuery } from '../../api/usage-documents.js';
import type { Span } from './spans.js';

export interface ShownUsage extends Usage {
  span: Span;
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
    const found = await runQuery(usageQuery, { from, to });
    // Another span may have been chosen meanwhile.
    if (asked !== question.current) return;
    setLoading(false);
    setProblem(found.ok ? null : found.message);
    if (found.ok) setUsage({ ...found.value, span: { from, to } });
  }, [from, to]);
  useEffect(() => void load(), [load]);
  return { usage, problem, isLoading, load: () => void load() };
}

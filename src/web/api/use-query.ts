import { useCallback, useEffect, useRef, useState } from 'react';
import type { Found } from '../../graphql/document-types/document-types.js';
import { runQuery } from './client.js';
import type { Document } from './graphql.js';

interface Answer<Data, Variables> {
  /** Null until something is found. It stays while the query runs again, and if that fails. */
  found: Found<Data> | null;
  /** What it was found with. */
  foundBy: Variables | null;
  problem: string | null;
  isLoading: boolean;
}

export interface Query<Data, Variables> extends Answer<Data, Variables> {
  /** Runs the query again. */
  load: () => Promise<void>;
}

/** What a query finds, for a component. It runs again when the variables change. */
export function useQuery<Data, Variables extends object>(
  document: Document<Data, Variables>,
  variables: Variables,
): Query<Data, Variables> {
  const [answer, setAnswer] = useState<Answer<Data, Variables>>({
    ...{ found: null, foundBy: null, problem: null, isLoading: true },
  });
  const question = useRef(0);
  // Each render has another object with the same variables.
  const wanted = JSON.stringify(variables);
  const load = useCallback(async () => {
    question.current += 1;
    const asked = question.current;
    setAnswer((before) => ({ ...before, isLoading: true }));
    const foundBy: Variables = JSON.parse(wanted);
    const outcome = await runQuery(document, foundBy);
    // A later request may have been answered first.
    if (asked !== question.current) return;
    const result = outcome.ok ? { found: outcome.value, foundBy, problem: null } : { problem: outcome.message };
    setAnswer((before) => ({ ...before, ...result, isLoading: false }));
  }, [document, wanted]);
  useEffect(() => void load(), [load]);
  return { ...answer, load };
}

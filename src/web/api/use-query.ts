import { useEffect, useState } from 'react';
import type { Found } from '../../graphql/document-types/document-types.js';
import { type Outcome, runQuery } from './client.js';
import type { Document } from './graphql.js';

/** What a query finds, for a component. Null until it is there. */
export function useQuery<Data, Variables extends object>(
  document: Document<Data, Variables>,
  variables: Variables,
): Outcome<Found<Data>> | null {
  const [outcome, setOutcome] = useState<Outcome<Found<Data>> | null>(null);
  // Each render has another object with the same variables.
  const asked = JSON.stringify(variables);
  useEffect(() => {
    let isGone = false;
    void runQuery<Data, Variables>(document, JSON.parse(asked)).then((found) => {
      if (!isGone) setOutcome(found);
    });
    return () => {
      isGone = true;
    };
  }, [document, asked]);
  return outcome;
}

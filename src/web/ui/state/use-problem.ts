/** What went wrong with what the user did last; null if nothing. That the service cannot be reached is over when it is back. */
import { useEffect, useState } from 'react';
import { saysUnreachable } from '../../api/client.js';
import { onReconnect } from '../../api/connection-state.js';

export function useProblem() {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => onReconnect(() => setProblem((said) => (saysUnreachable(said) ? null : said))), []);
  return [problem, setProblem] as const;
}

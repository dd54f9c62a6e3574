/** What went wrong with what the user did last; null if nothing, or if it has passed. */
import { useEffect, useState } from 'react';
import { onPassed } from './passing-problems.js';

export function useProblem() {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => onPassed((message) => setProblem((said) => (said === message ? null : said))), []);
  return [problem, setProblem] as const;
}

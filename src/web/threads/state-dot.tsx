/**
 * The state of a thread, with a word beside the colour because colour alone is not accessible. Nothing is shown for a thread
 * that is ready.
 */
import type { ThreadState } from '../api/types.js';
import { defineTexts, useTexts } from '../language/texts.js';
import './state-dot.css';

const texts = defineTexts('threads/state-dot', {
  WAITING: 'Queued',
  ACTIVE: 'Answering',
  ERROR: 'Failed',
  INTERRUPTED: 'Stopped',
});

export function StateDot({ state }: { state: ThreadState }) {
  const t = useTexts(texts);
  if (state === 'READY') return null;
  return <span className={`state state-${state.toLowerCase()}`}>{t[state]}</span>;
}

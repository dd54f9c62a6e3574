/**
 * The state of a thread, with a word beside the colour because colour alone is not accessible. Nothing is shown for a thread
 * that is ready.
 */
import type { ThreadState } from '../api/types.js';
import './state-dot.css';

const words: Record<ThreadState, string | null> = {
  READY: null,
  WAITING: 'Queued',
  ACTIVE: 'Answering',
  ERROR: 'Failed',
  INTERRUPTED: 'Stopped',
};

export function StateDot({ state }: { state: ThreadState }) {
  return words[state] && <span className={`state state-${state.toLowerCase()}`}>{words[state]}</span>;
}

/** The state of a thread: nothing where it is ready, else a mark with a word, since colour alone says nothing to many. */
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

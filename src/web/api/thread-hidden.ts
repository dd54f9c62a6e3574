import { Signal } from '../ui/state/signal.js';

/** Threads that the viewer may no longer see, so that nothing of them stays in memory. */
export const threadHidden = new Signal<string>();

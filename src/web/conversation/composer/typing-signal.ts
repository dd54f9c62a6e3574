import { Signal } from '../../ui/state/signal.js';

/** Says that somebody types a message, to what is loaded after the composer. It has the place of the draft. */
export const typing = new Signal<string>();

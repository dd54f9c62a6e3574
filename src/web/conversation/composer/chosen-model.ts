/**
 * The model that the viewer has chosen at a composer, by its place: the id of a thread, or "new". What is chosen is sent with every
 * message from there; without a choice the service uses the model of the thread. A tab keeps it when the page is loaded again, which
 * may happen by itself after an upgrade: a message must not go to another model than the one on the screen before.
 */
import { onSessionEnd } from '../../api/session-ended.js';

const key = 'skein.models';
const chosen = new Map<string, string>(JSON.parse(sessionStorage.getItem(key) ?? '[]'));

export function chooseModel(place: string, model: string): void {
  chosen.set(place, model);
  keep();
}

/** For the input of what sends a message: empty without a choice. */
export function chosenModel(place: string): { model?: string } {
  const model = chosen.get(place);
  return model === undefined ? {} : { model };
}

/** Forgets the choice for what was sent: the next thread begins with the default model. */
export function forgetModel(place: string): void {
  chosen.delete(place);
  keep();
}

/** Forgets the choices that the service no longer offers, and would refuse. */
export function forgetModelsBesides(offered: readonly { id: string }[]): void {
  for (const [place, model] of chosen) if (!offered.some(({ id }) => id === model)) chosen.delete(place);
  keep();
}

function keep(): void {
  if (chosen.size > 0) sessionStorage.setItem(key, JSON.stringify([...chosen]));
  else sessionStorage.removeItem(key);
}

onSessionEnd(() => forgetModelsBesides([]));

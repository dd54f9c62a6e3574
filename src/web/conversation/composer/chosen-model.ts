/**
 * The model that the viewer has chosen at a composer, by its place: the id of a thread, or "new". What is chosen is sent with every
 * message from there; without a choice the service uses the model of the thread.
 */
const chosen = new Map<string, string>();

export function chooseModel(place: string, model: string): void {
  chosen.set(place, model);
}

/** For the input of what sends a message: empty without a choice. */
export function chosenModel(place: string): { model?: string } {
  const model = chosen.get(place);
  return model === undefined ? {} : { model };
}

/**
 * Keeps the keys of an input method, which composes words, from every handler on the page, those of libraries too: its Enter
 * accepts a word and must not send it, and its Escape drops one and must not stop an answer.
 */
const types = ['keydown', 'keyup'] as const;

/** Before anything else listens. Browsers still do with the keys what they do by themselves. */
export function keepKeysOfInputMethods(): void {
  for (const type of types) addEventListener(type, keep, { capture: true });
}

function keep(event: KeyboardEvent): void {
  if (isOfInputMethod(event)) event.stopImmediatePropagation();
}

/** Safari reports the Enter that accepts a word after the end of the composition, and marks it with the code 229 alone. */
function isOfInputMethod({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}

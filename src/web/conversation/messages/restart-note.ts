/** Why the text that was read is gone. */
import { defineTexts } from '../../language/texts.js';

const texts = defineTexts('conversation/messages/restart-note', {
  note: 'The answer was interrupted and started again.',
});
export function restartNote(): string {
  return texts.get().note;
}

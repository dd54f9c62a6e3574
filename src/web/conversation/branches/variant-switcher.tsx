/** Changes between the variants of a message. Each has its own continuation. */
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useRef } from 'react';
import { runMutation } from '../../api/client.js';
import { selectVariantMutation } from '../../api/posting-documents.js';
import type { Message } from '../../api/types.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { useWantedFocus, wantFocus } from './wanted-focus.js';

const texts = defineTexts('conversation/branches/variant-switcher', {
  version: withValues('Version {position} of {count}'),
  previous: 'Previous version',
  next: 'Next version',
});

export interface VariantSwitcherProps {
  message: Message;
  variants: NonNullable<Message['variants']>;
  /** Why the branch cannot be changed now; null if it can. */
  blocked: string | null;
  store: ConversationStore;
}

export default function VariantSwitcher({ message, variants, blocked, store }: VariantSwitcherProps) {
  const t = useTexts(texts);
  const { position, count, previousId, nextId } = variants;
  const [previous, next] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)];
  useWantedFocus(`previous ${message.id}`, previous);
  useWantedFocus(`next ${message.id}`, next);
  const show = async (id: string) => {
    const outcome = await runMutation(selectVariantMutation, { messageId: id });
    if (outcome.ok) return store.open(id);
    const branching = { messageId: message.id, isEditing: false, problem: outcome.message };
    store.dispatch({ type: 'branchingChanged', branching });
  };
  const select = (side: 'previous' | 'next', id: string | null) => ({
    small: true,
    'aria-disabled': blocked !== null || id === null,
    ...(blocked === null ? {} : { title: blocked }),
    onClick: () => {
      if (blocked !== null || id === null) return;
      wantFocus(`${side} ${id}`);
      void show(id);
    },
  });
  return (
    <fieldset className="variants" aria-label={t.version({ position, count })}>
      <IconButton ref={previous} icon={ChevronLeft} label={t.previous} {...select('previous', previousId)} />
      <span aria-hidden="true">
        {position}/{count}
      </span>
      <IconButton ref={next} icon={ChevronRight} label={t.next} {...select('next', nextId)} />
    </fieldset>
  );
}

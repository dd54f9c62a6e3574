/** Shows what an answer took. The dialog is loaded when the pointer or the focus reaches the button. */
import Info from 'lucide-react/icons/info';
import { useState } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import { loadOnApproach } from '../../ui/state/late-component.js';

const texts = defineTexts('conversation/messages/details-button', { details: 'Details' });

const { Component: AnswerDetails, approaching } = loadOnApproach(() => import('./answer-details.js'));

export interface DetailsButtonProps {
  threadId: string;
  messageId: string;
}

export function DetailsButton(props: DetailsButtonProps) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton icon={Info} label={t.details} small {...approaching} onClick={() => setOpen(true)} />
      {isOpen && <AnswerDetails {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Shows what an answer took. The dialog is loaded when the pointer or the focus reaches the button. */
import Info from 'lucide-react/icons/info';
import { Suspense, useState } from 'react';
import { IconButton } from '../../ui/button.js';
import { loadOnApproach } from '../../ui/state/load-on-approach.js';

const { Component: AnswerDetails, approaching } = loadOnApproach(() => import('./answer-details.js'));

export interface DetailsButtonProps {
  threadId: string;
  messageId: string;
}

export function DetailsButton(props: DetailsButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton icon={Info} label="Details" small {...approaching} onClick={() => setOpen(true)} />
      {isOpen && (
        <Suspense fallback={null}>
          <AnswerDetails {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

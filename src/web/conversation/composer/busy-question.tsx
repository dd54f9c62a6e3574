/** Asks whether to interrupt the assistant when a message is sent while it is answering. */
import { type RefObject, useRef } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { usePassedFocus } from '../../ui/page/use-passed-focus.js';
import { queuedTexts } from './queued-row.js';

const texts = defineTexts('conversation/composer/busy-question', {
  question: 'The assistant is still answering. Your message is kept here.',
  wait: 'Wait, then send',
});

export interface BusyQuestionProps {
  /** Whether there is a message to send. */
  isReady: boolean;
  onInterrupt: () => void;
  onWait: () => void;
  /** The field of the message, which gets the focus back. */
  field: RefObject<HTMLElement | null>;
}

export default function BusyQuestion({ isReady, onInterrupt, onWait, field }: BusyQuestionProps) {
  const t = useTexts(texts);
  const { interrupt } = useTexts(queuedTexts);
  const question = useRef<HTMLDivElement>(null);
  // It disappears when it is answered, and when the assistant has finished.
  usePassedFocus(question, () => field.current?.focus());
  return (
    <div ref={question} className="notice composer-busy" role="alert">
      <span>{t.question}</span>
      <Button variant="primary" aria-disabled={!isReady} onClick={() => isReady && onInterrupt()}>
        {interrupt}
      </Button>
      <Button aria-disabled={!isReady} onClick={() => isReady && onWait()}>
        {t.wait}
      </Button>
    </div>
  );
}

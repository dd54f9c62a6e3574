/** Asks whoever sends a message while the assistant is answering whether to interrupt it. */
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { Button } from '../../ui/button.js';

export interface BusyQuestionProps {
  /** Whether there is something to send. */
  isReady: boolean;
  onInterrupt: () => void;
  onWait: () => void;
  /** Where the message is written: the focus goes back to it. */
  field: RefObject<HTMLElement | null>;
}

export function BusyQuestion({ isReady, onInterrupt, onWait, field }: BusyQuestionProps) {
  const question = useRef<HTMLDivElement>(null);
  // It goes when it is answered, and also when the assistant has finished.
  useLayoutEffect(() => {
    const element = question.current;
    return () => {
      if (element?.contains(document.activeElement)) field.current?.focus();
    };
  }, [field]);
  return (
    <div ref={question} className="notice composer-busy" role="alert">
      <span>The assistant is still answering. Your message is kept here.</span>
      <Button variant="primary" aria-disabled={!isReady} onClick={() => isReady && onInterrupt()}>
        Interrupt and send
      </Button>
      <Button onClick={onWait}>Wait</Button>
    </div>
  );
}

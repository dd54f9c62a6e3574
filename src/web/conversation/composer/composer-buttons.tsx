/**
 * The buttons that send a message and stop an answer. While an answer runs it can always be stopped, whether or not the next
 * message is already written: phones have no Escape key.
 */
import ArrowUp from 'lucide-react/icons/arrow-up';
import Square from 'lucide-react/icons/square';
import { type MouseEvent, useRef } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { IconButton } from '../../ui/button.js';
import { usePassedFocus } from '../../ui/page/use-passed-focus.js';

const texts = defineTexts('conversation/composer/composer-buttons', { stop: 'Stop answering (Escape)', send: 'Send' });

export interface ComposerButtonsProps {
  isBusy: boolean;
  /** Whether there is a message to send. */
  isReady: boolean;
  onStop: () => void;
}

const stop = { icon: Square, className: 'composer-stop' };

export function ComposerButtons({ isBusy, isReady, onStop }: ComposerButtonsProps) {
  const t = useTexts(texts);
  // The button takes the place of the one that sends, so the second half of a double click there falls on it.
  const stopOnce = ({ detail }: MouseEvent) => {
    if (detail < 2) onStop();
  };
  return (
    <>
      {isBusy && isReady && <StopBesideSend onStop={onStop} />}
      {isBusy && !isReady ? (
        <IconButton {...stop} label={t.stop} variant="primary" onClick={stopOnce} />
      ) : (
        <IconButton icon={ArrowUp} variant="primary" label={t.send} type="submit" aria-disabled={!isReady} />
      )}
    </>
  );
}

/** Passes the focus to the button beside it when the answer ends. */
function StopBesideSend({ onStop }: { onStop: () => void }) {
  const t = useTexts(texts);
  const button = useRef<HTMLButtonElement>(null);
  usePassedFocus(button, ({ nextElementSibling: next }) => next instanceof HTMLElement && next.focus());
  return <IconButton {...stop} label={t.stop} ref={button} onClick={onStop} />;
}

/**
 * The buttons that send a message and stop an answer. While an answer runs it can always be stopped, whether or not the next
 * message is already written: phones have no Escape key.
 */
import ArrowUp from 'lucide-react/icons/arrow-up';
import Square from 'lucide-react/icons/square';
import { useLayoutEffect, useRef } from 'react';
import { IconButton } from '../../ui/button.js';

export interface ComposerButtonsProps {
  isBusy: boolean;
  /** Whether there is a message to send. */
  isReady: boolean;
  onStop: () => void;
}

const stop = { icon: Square, label: 'Stop answering (Escape)', className: 'composer-stop' };

export function ComposerButtons({ isBusy, isReady, onStop }: ComposerButtonsProps) {
  return (
    <>
      {isBusy && isReady && <StopBesideSend onStop={onStop} />}
      {isBusy && !isReady ? (
        <IconButton {...stop} variant="primary" onClick={onStop} />
      ) : (
        <IconButton icon={ArrowUp} variant="primary" label="Send" type="submit" aria-disabled={!isReady} />
      )}
    </>
  );
}

/** Passes the focus to the button beside it when the answer ends. */
function StopBesideSend({ onStop }: { onStop: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const element = button.current;
    return () => {
      const next = element?.nextElementSibling;
      if (element === document.activeElement && next instanceof HTMLElement) next.focus();
    };
  }, []);
  return <IconButton {...stop} ref={button} onClick={onStop} />;
}

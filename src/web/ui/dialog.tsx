/** A modal dialog. Its buttons and Escape close it; a press outside does not, since that would lose what was typed. */
import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { type ReactNode, useEffect } from 'react';
import { focusIfLost } from './page/focus-if-lost.js';
import './dialog.css';

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  className?: string;
  /** Whether the title is only for screen readers. */
  isTitleHidden?: boolean;
  /** Whether a press outside closes it, where nothing can be lost. */
  isDismissible?: boolean;
  /** What gets the focus at first; by default the first thing that can have it. */
  initialFocus?: (() => HTMLElement | boolean) | undefined;
  /** What gets the focus once it is closed; by default what opened it. */
  finalFocus?: (() => HTMLElement | boolean) | undefined;
}

export function Dialog({
  title,
  onClose,
  children,
  className = '',
  isTitleHidden,
  isDismissible,
  initialFocus,
  finalFocus,
}: DialogProps) {
  // What opened it may be gone when it closes. Only then does the dialog itself move the focus.
  useEffect(() => () => void requestAnimationFrame(focusIfLost), []);
  return (
    <BaseDialog.Root open disablePointerDismissal={!isDismissible} onOpenChange={onClose}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="dialog-backdrop" />
        <BaseDialog.Popup className={`dialog dialog-body ${className}`} {...{ initialFocus, finalFocus }}>
          <BaseDialog.Title className={isTitleHidden ? 'visually-hidden' : undefined}>{title}</BaseDialog.Title>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

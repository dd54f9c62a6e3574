/** Buttons that say the same wherever they stand. */
import { defineTexts, useTexts } from '../language/texts.js';
import { Button, type ButtonProps } from './button.js';

export const commonTexts = defineTexts('ui/common-buttons', { again: 'Try again', cancel: 'Cancel', close: 'Close' });

export function RetryButton(props: ButtonProps) {
  return <Button {...props}>{useTexts(commonTexts).again}</Button>;
}

export function CancelButton(props: ButtonProps) {
  return <Button {...props}>{useTexts(commonTexts).cancel}</Button>;
}

export function CloseButton(props: ButtonProps) {
  return <Button {...props}>{useTexts(commonTexts).close}</Button>;
}

/** Buttons and links that say the same wherever they stand. */
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { Link } from 'wouter';
import { defineTexts, useTexts } from '../language/texts.js';
import { Button, type ButtonProps } from './button.js';

export const commonTexts = defineTexts('ui/common-buttons', {
  again: 'Try again',
  cancel: 'Cancel',
  close: 'Close',
  remove: 'Remove',
  reload: 'Reload',
  signOut: 'Sign out',
  back: 'Back to threads',
});

export function RetryButton(props: ButtonProps) {
  return <Button {...props}>{useTexts(commonTexts).again}</Button>;
}

export function CancelButton(props: ButtonProps) {
  return <Button {...props}>{useTexts(commonTexts).cancel}</Button>;
}

export function CloseButton(props: ButtonProps) {
  return <Button {...props}>{useTexts(commonTexts).close}</Button>;
}

export function RemoveButton(props: ButtonProps) {
  return <Button {...props}>{useTexts(commonTexts).remove}</Button>;
}

export function ReloadButton(props: ButtonProps) {
  return (
    <Button onClick={() => location.reload()} {...props}>
      {useTexts(commonTexts).reload}
    </Button>
  );
}

export function SignOutButton(props: ButtonProps) {
  return <Button {...props}>{useTexts(commonTexts).signOut}</Button>;
}

/** Leads from a page to the list of threads, where a phone has room for one of them. */
export function BackLink() {
  return (
    <Link href="/" className="button button-icon only-phone" aria-label={useTexts(commonTexts).back}>
      <ArrowLeft />
    </Link>
  );
}

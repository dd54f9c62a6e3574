/** Buttons. An icon button has its label as its accessible name and as its tooltip. */
import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, Ref } from 'react';
import './button.css';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ variant = 'plain', className = '', ...rest }: ButtonProps) {
  return <button type="button" className={`button button-${variant} ${className}`} {...rest} />;
}

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: LucideIcon;
  label: string;
  variant?: 'plain' | 'primary';
  small?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ icon: Icon, label, variant = 'plain', small, className = '', ...rest }: IconButtonProps) {
  const classes = `button button-icon button-${variant} ${small ? 'button-small' : ''} ${className}`;
  return (
    <button type="button" className={classes} aria-label={label} title={label} {...rest}>
      <Icon />
    </button>
  );
}

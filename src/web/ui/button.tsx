/** Buttons. One without words has a name for those who do not see its icon, and shows it to those who point at it. */
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

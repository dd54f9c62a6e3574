/** Buttons. One without words has a name for those who do not see its icon, and shows it to those who point at it. */
import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes, Ref } from 'react';
import './button.css';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', className = '', ...rest }: ButtonProps) {
  return <button type="button" className={`button button-${look} ${className}`} {...rest} />;
}

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: LucideIcon;
  label: string;
  look?: 'plain' | 'primary';
  small?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ icon: Icon, label, look = 'plain', small, className = '', ...rest }: IconButtonProps) {
  const classes = `button button-icon button-${look} ${small ? 'button-small' : ''} ${className}`;
  return (
    <button type="button" className={classes} aria-label={label} title={label} {...rest}>
      <Icon />
    </button>
  );
}

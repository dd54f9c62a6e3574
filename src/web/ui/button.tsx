/** Buttons. One without words has a name for those who do not see its icon, and shows it to those who point at it. */
import type { ButtonHTMLAttributes, Ref } from 'react';
import { Icon, type IconName } from './icon.js';
import './button.css';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: IconName;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ look = 'plain', icon, className = '', children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={`button button-${look} ${className}`} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

export interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName;
  label: string;
  look?: 'plain' | 'primary';
  small?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ icon, label, look = 'plain', small, className = '', ...rest }: IconButtonProps) {
  const classes = `button button-icon button-${look} ${small ? 'button-small' : ''} ${className}`;
  return (
    <button type="button" className={classes} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}

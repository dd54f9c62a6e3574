/** Copies a text and announces it. Without TLS, browsers have no clipboard API, so the text is selected and copied instead. */
import type { LucideIcon } from 'lucide-react';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import { useEffect, useState } from 'react';
import { defineTexts, useTexts } from '../language/texts.js';
import { IconButton } from './button.js';

const texts = defineTexts('ui/copy-button', { copied: 'Copied' });

const thanksMs = 1600;

export interface CopyButtonProps {
  text: string | (() => string);
  /** The same with its form, for documents. */
  html?: (() => string) | undefined;
  label: string;
  small?: boolean;
  icon?: LucideIcon;
  /** What screen readers hear when the text is copied. */
  done?: string;
}

export function CopyButton({ text, html, label, small = false, icon = Copy, done }: CopyButtonProps) {
  const t = useTexts(texts);
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), thanksMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => setCopied(await copyText(typeof text === 'string' ? text : text(), html?.()));
  return (
    <>
      <IconButton icon={isCopied ? Check : icon} label={label} small={small} onClick={() => void copy()} />
      <span role="status" className="visually-hidden">
        {isCopied ? (done ?? t.copied) : ''}
      </span>
    </>
  );
}

async function copyText(text: string, html?: string): Promise<boolean> {
  if (!navigator.clipboard) return copyBySelection(text);
  const forms = { 'text/plain': text, ...(html !== undefined && { 'text/html': html }) };
  const blobs = Object.entries(forms).map(([type, form]) => [type, new Blob([form], { type })]);
  return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]).then(
    () => true,
    () => copyBySelection(text),
  );
}

function copyBySelection(text: string): boolean {
  const pressed = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (pressed instanceof HTMLElement) pressed.focus({ preventScroll: true });
  return isDone;
}

/** What opens above the page, loaded when it is opened for the first time. */
import { useState } from 'react';
import { late } from '../ui/state/late-component.js';
import { useEarlyKeys } from './use-early-keys.js';
import type { Overlay } from './use-shortcuts.js';

const Palette = late(() => import('./palette.js'));
const KeysDialog = late(() => import('./keys-dialog.js'));

export interface OverlaysProps {
  overlay: Overlay;
  onChange: (overlay: Overlay) => void;
}

export function Overlays({ overlay, onChange }: OverlaysProps) {
  const [written, setWritten] = useState('');
  useEarlyKeys(overlay === 'palette', setWritten);
  if (overlay !== 'palette' && written !== '') setWritten('');
  const close = () => onChange(null);
  return (
    <>
      {overlay === 'palette' && (
        <Palette written={written} onWrite={setWritten} onClose={close} onShowKeys={() => onChange('keys')} />
      )}
      {overlay === 'keys' && <KeysDialog onClose={close} />}
    </>
  );
}

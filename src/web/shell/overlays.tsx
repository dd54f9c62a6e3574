/** What opens above the page, loaded when it is opened for the first time. */
import { lazy, Suspense, useState } from 'react';
import { importWithRetry } from '../ui/state/import-with-retry.js';
import { useEarlyKeys } from './use-early-keys.js';
import type { Overlay } from './use-shortcuts.js';

const Palette = lazy(() => importWithRetry(() => import('./palette.js')));
const KeysDialog = lazy(() => importWithRetry(() => import('./keys-dialog.js')));

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
    <Suspense fallback={null}>
      {overlay === 'palette' && (
        <Palette written={written} onWrite={setWritten} onClose={close} onShowKeys={() => onChange('keys')} />
      )}
      {overlay === 'keys' && <KeysDialog onClose={close} />}
    </Suspense>
  );
}

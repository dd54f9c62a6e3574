/** Says that the page is outdated, and loads it again. It is a part of the first view, since nothing more can be loaded. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button } from '../ui/button.js';
import { hasReloaded, reloadWhenSafe } from './reload.js';
import { type Outdated, servedVersion } from './served-version.js';
import './update-notice.css';

const reasons: Record<Outdated, string> = {
  updated: 'Skein was updated.',
  incomplete: 'A part of this page did not load.',
};

const remedies = {
  auto: 'This page reloads as soon as nothing that you typed would be lost.',
  manual: 'Reload this page to go on.',
};

export function UpdateNotice() {
  const { outdated } = useSyncExternalStore(servedVersion.subscribe, servedVersion.getState);
  const [isManual] = useState(hasReloaded);
  useEffect(() => (outdated && !isManual ? reloadWhenSafe() : undefined), [outdated, isManual]);
  return (
    <div role="alert" className="update">
      {outdated && (
        <div className="notice">
          <p>
            {reasons[outdated]} {remedies[isManual ? 'manual' : 'auto']}
          </p>
          <Button onClick={() => location.reload()}>Reload</Button>
        </div>
      )}
    </div>
  );
}

/** Says that the page is outdated, and loads it again. It is a part of the first view, since nothing more can be loaded. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { defineTexts, useTexts } from '../language/texts.js';
import { ReloadButton } from '../ui/common-buttons.js';
import { hasReloaded, reloadWhenSafe } from './reload.js';
import { servedVersion } from './served-version.js';
import './update-notice.css';

const texts = defineTexts('update/update-notice', {
  updated: 'Skein was updated.',
  incomplete: 'A part of this page did not load.',
  auto: 'This page reloads as soon as nothing that you typed would be lost.',
  manual: 'Reload this page to go on.',
});

export function UpdateNotice() {
  const t = useTexts(texts);
  const { outdated } = useSyncExternalStore(servedVersion.subscribe, servedVersion.getState);
  const [isManual] = useState(hasReloaded);
  useEffect(() => (outdated && !isManual ? reloadWhenSafe() : undefined), [outdated, isManual]);
  return (
    <div role="alert" className="update">
      {outdated && (
        <div className="notice">
          <p>
            {t[outdated]} {isManual ? t.manual : t.auto}
          </p>
          <ReloadButton />
        </div>
      )}
    </div>
  );
}

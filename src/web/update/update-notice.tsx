/** Says that the page is outdated. It is a part of the first view, since nothing more can be loaded. */
import { useSyncExternalStore } from 'react';
import { defineTexts, useTexts } from '../language/texts.js';
import { ReloadButton } from '../ui/common-buttons.js';
import { servedVersion } from './served-version.js';
import './update-notice.css';

const texts = defineTexts('update/update-notice', {
  updated: 'Skein was updated.',
  incomplete: 'A part of this page did not load.',
  remedy: 'Reload this page to go on.',
});

export function UpdateNotice() {
  const t = useTexts(texts);
  const { outdated } = useSyncExternalStore(servedVersion.subscribe, servedVersion.getState);
  return (
    <div role="alert" className="update">
      {outdated && (
        <div className="notice">
          <p>
            {t[outdated]} {t.remedy}
          </p>
          <ReloadButton />
        </div>
      )}
    </div>
  );
}

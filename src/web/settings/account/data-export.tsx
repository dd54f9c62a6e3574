/** Saves everything that is stored about the viewer as one file. */
import { useSyncExternalStore } from 'react';
import { counted, defineTexts, useTexts, withValues } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { Problem } from '../../ui/problem.js';
import { downloadData, runningDownload } from './data-download.js';

const texts = defineTexts('settings/account/data-export', {
  title: 'Your data',
  hint: 'Your account, threads with all messages, ratings, and where your files are, as one file in the format JSON Lines. It contains no passwords and no API tokens.',
  download: 'Download my data',
  soFar: counted({ one: '{count} record so far …', other: '{count} records so far …' }),
  saved: counted({ one: 'Saved {count} record.', other: 'Saved {count} records.' }),
  failed: withValues('{reason} Press the button again to go on.'),
});

export function DataExport() {
  const t = useTexts(texts);
  const {
    isRunning,
    progress: count,
    reason,
  } = useSyncExternalStore(runningDownload.subscribe, runningDownload.getState);
  return (
    <section>
      <h2>{t.title}</h2>
      <p className="field-hint">{t.hint}</p>
      <Problem message={reason && t.failed({ reason })} />
      <p role="status">
        {count !== null && !reason && <span className="notice">{(isRunning ? t.soFar : t.saved)(count)}</span>}
      </p>
      <div className="buttons">
        <Button aria-disabled={isRunning} onClick={downloadData}>
          {t.download}
        </Button>
      </div>
    </section>
  );
}

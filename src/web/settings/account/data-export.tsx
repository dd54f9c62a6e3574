/** Saves everything that is stored about the viewer as one file. */
import { useRef, useState } from 'react';
import { holdPage } from '../../api/page-holds.js';
import { counted, defineTexts, useTexts, withValues } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { Problem } from '../../ui/problem.js';
import { useOnce } from '../../ui/state/use-once.js';
import { DataDownload } from './data-download.js';

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
  const [problem, setProblem] = useState<string | null>(null);
  const [progress, setProgress] = useState<string | null>(null);
  const download = useRef(new DataDownload());
  const { isRunning, once } = useOnce();
  const run = async () => {
    setProblem(null);
    const note = (count: number) => setProgress(t.soFar(count));
    const refusal = await download.current.fetch(note).finally(holdPage());
    setProblem(refusal && t.failed({ reason: refusal }));
    if (refusal === null) {
      setProgress(t.saved(download.current.count));
      download.current.save();
      download.current = new DataDownload();
    } else setProgress(null);
  };
  return (
    <section>
      <h2>{t.title}</h2>
      <p className="field-hint">{t.hint}</p>
      <Problem message={problem} />
      <p role="status">{progress && <span className="notice">{progress}</span>}</p>
      <div className="buttons">
        <Button aria-disabled={isRunning} onClick={() => once(run)}>
          {t.download}
        </Button>
      </div>
    </section>
  );
}

/** Saves everything that is stored about the viewer as one file. */
import { useRef, useState } from 'react';
import { holdPage } from '../../api/page-holds.js';
import { Button } from '../../ui/button.js';
import { Problem } from '../../ui/field.js';
import { languages } from '../../ui/languages.js';
import { useOnce } from '../../ui/state/use-once.js';
import { DataDownload } from './data-download.js';

const number = new Intl.NumberFormat(languages);

export function DataExport() {
  const [problem, setProblem] = useState<string | null>(null);
  const [progress, setProgress] = useState<string | null>(null);
  const download = useRef(new DataDownload());
  const { isRunning, once } = useOnce();
  const run = async () => {
    setProblem(null);
    const note = (count: number) => setProgress(`${number.format(count)} records so far …`);
    const refusal = await download.current.fetch(note).finally(holdPage());
    setProblem(refusal && `${refusal} Press the button again to go on.`);
    if (refusal === null) {
      setProgress(`Saved ${number.format(download.current.count)} records.`);
      download.current.save();
      download.current = new DataDownload();
    } else setProgress(null);
  };
  return (
    <section>
      <h2>Your data</h2>
      <p className="field-hint">
        Your account, threads with all messages, ratings, and where your files are, as one file in the format JSON
        Lines. It contains no passwords and no API tokens.
      </p>
      <Problem message={problem} />
      <p role="status">{progress && <span className="notice">{progress}</span>}</p>
      <div className="settings-actions">
        <Button aria-disabled={isRunning} onClick={() => once(run)}>
          Download my data
        </Button>
      </div>
    </section>
  );
}

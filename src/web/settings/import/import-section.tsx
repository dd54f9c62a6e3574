/** Imports conversations of other services, and says what became of them. */
import { useRef, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { Problem } from '../../ui/problem.js';
import { RunningTask } from '../running-task.js';
import { type ImportState, importFiles, nothingImported } from './conversation-import.js';
import './import-section.css';

const texts = defineTexts('settings/import/import-section', {
  title: 'Import conversations',
  hint: 'From the exports of ChatGPT, Open WebUI and LibreChat: JSON files, or the archive of ChatGPT as it is. Only you can read the threads. A conversation that is there already is not imported again.',
  choose: 'Choose files',
  stop: 'Stop the import',
  soFar: withValues('Imported so far: {imported}'),
  result: withValues('{imported} imported, {existing} already there, {refused} left out.'),
  failed: withValues('{reason} What was imported stays: choose the same files again to go on.'),
  threads: 'Show threads',
  refused: 'Conversations that were left out',
  leftOut: 'Left out of the threads',
  malformed: 'Damaged or in an unknown format',
  tooLarge: 'Too large',
  noText: 'Without text',
  branch: 'Messages of other branches',
  system: 'Instructions',
  tool: 'Calls of tools',
  reasoning: 'Reasoning',
  file: 'Images and files',
  empty: 'Messages without text',
  tooLong: 'Messages that are too long',
  count: withValues('{what}: {count}'),
});

const runningImport = new RunningTask<ImportState>();

export function ImportSection() {
  const t = useTexts(texts);
  const input = useRef<HTMLInputElement>(null);
  const task = useSyncExternalStore(runningImport.subscribe, runningImport.getState);
  const { isRunning, isStopping, progress: state, reason } = task;
  const refused = Object.values(state?.refused ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <section>
      <h2>{t.title}</h2>
      <p className="field-hint">{t.hint}</p>
      <Problem message={reason && t.failed({ reason })} />
      {isRunning && state && (
        <div className="import-progress">
          <progress aria-label={t.title} max={1} value={state.progress} />
          <span>{t.soFar({ imported: state.imported })}</span>
        </div>
      )}
      <p role="status">{!isRunning && state && <span className="notice">{t.result({ ...state, refused })}</span>}</p>
      {!isRunning && state && <Counts state={state} />}
      <div className="buttons">
        <input
          ref={input}
          type="file"
          hidden
          multiple
          accept=".json,.zip,application/json,application/zip"
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            // Or the same files could not be chosen again.
            target.value = '';
            if (files.length > 0) void runningImport.run(nothingImported, (note) => importFiles(files, note));
          }}
        />
        <Button aria-disabled={isStopping} onClick={isRunning ? runningImport.stop : () => input.current?.click()}>
          {isRunning ? t.stop : t.choose}
        </Button>
        {!isRunning && state && (
          <Link href="/" className="button button-plain">
            {t.threads}
          </Link>
        )}
      </div>
    </section>
  );
}

function Counts({ state: { refused, leftOut } }: { state: ImportState }) {
  const t = useTexts(texts);
  const names: Record<string, string> = {
    ...{ BRANCH: t.branch, SYSTEM: t.system, TOOL: t.tool, REASONING: t.reasoning, FILE: t.file },
    ...{ EMPTY: t.empty, TOO_LONG: t.tooLong },
  };
  const reasons: Record<string, string> = { MALFORMED: t.malformed, TOO_LARGE: t.tooLarge, EMPTY: t.noText };
  return (
    <>
      <CountList title={t.refused} counts={refused} names={reasons} />
      <CountList title={t.leftOut} counts={leftOut} names={names} />
    </>
  );
}

interface CountListProps {
  title: string;
  counts: Readonly<Record<string, number>>;
  names: Readonly<Record<string, string>>;
}

function CountList({ title, counts, names }: CountListProps) {
  const t = useTexts(texts);
  const entries = Object.entries(counts);
  if (entries.length === 0) return null;
  return (
    <div className="import-counts">
      <h3>{title}</h3>
      <ul>
        {entries.map(([name, count]) => (
          <li key={name}>{t.count({ what: names[name] ?? name, count })}</li>
        ))}
      </ul>
    </div>
  );
}

/** Shown when the service does not respond at start-up. The application starts by itself when it responds. */
import { useEffect } from 'react';
import { reconnection } from '../api/live.js';
import { defineTexts, useTexts } from '../language/texts.js';
import { RetryButton } from '../ui/common-buttons.js';
import './shell.css';

const texts = defineTexts('shell/unreachable', {
  title: 'The service cannot be reached',
  remedy: 'Check your connection. The service may also be restarting; try again in a moment.',
});

export function Unreachable({ retry }: { retry: () => void }) {
  const t = useTexts(texts);
  useEffect(() => {
    let isShown = true;
    const keepTrying = () =>
      void reconnection().then(() => {
        if (!isShown) return;
        retry();
        keepTrying();
      });
    keepTrying();
    return () => {
      isShown = false;
    };
  }, [retry]);
  return (
    <main className="page-middle">
      <h1>{t.title}</h1>
      <p>{t.remedy}</p>
      <RetryButton variant="primary" onClick={retry} />
    </main>
  );
}

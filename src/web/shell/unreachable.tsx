/** Shown when the service does not respond at start-up. The application starts by itself when it responds. */
import { useEffect } from 'react';
import { reconnection } from '../api/live.js';
import { Button } from '../ui/button.js';
import './shell.css';

export function Unreachable({ retry }: { retry: () => void }) {
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
      <h1>The service cannot be reached</h1>
      <p>Check your connection. The service may also be restarting; try again in a moment.</p>
      <Button variant="primary" onClick={retry}>
        Try again
      </Button>
    </main>
  );
}

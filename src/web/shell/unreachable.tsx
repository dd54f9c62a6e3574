/** Shown when the service does not respond at start-up. */
import { useEffect } from 'react';
import { Button } from '../ui/button.js';
import './shell.css';

export function Unreachable({ retry }: { retry: () => void }) {
  useEffect(() => {
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
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

/** Who can read the new threads of the viewer, unless they choose otherwise for one of them. */
import { useState } from 'react';
import { runMutation } from '../../api/client.js';
import { newThreadPrivacyMutation } from '../../api/late/settings-documents.js';
import type { Identity } from '../../api/types.js';
import { useViewerChange } from '../../sign-in/session.js';
import { ReadersChoice } from '../../threads/readers.js';
import { Problem } from '../../ui/field.js';

export function NewThreads({ me }: { me: Identity }) {
  const change = useViewerChange();
  const [result, setResult] = useState<{ problem: string | null } | null>(null);
  const choose = async (newThreadsArePrivate: boolean) => {
    const before = me.newThreadsArePrivate;
    change({ newThreadsArePrivate });
    const outcome = await runMutation(newThreadPrivacyMutation, { isPrivate: newThreadsArePrivate });
    if (!outcome.ok) change({ newThreadsArePrivate: before });
    setResult({ problem: outcome.ok ? null : outcome.message });
  };
  return (
    <section>
      <h2>New threads</h2>
      <ReadersChoice
        legend="Who can read your new threads:"
        isPrivate={me.newThreadsArePrivate}
        onChoose={(isPrivate) => void choose(isPrivate)}
      />
      <p className="field-hint">You can choose otherwise for each thread. Threads that you have do not change.</p>
      <Problem message={result?.problem ?? null} />
      <p role="status">{result?.problem === null && <span className="notice">Saved.</span>}</p>
    </section>
  );
}

/** Who can read the new threads of the viewer, unless they choose otherwise for one of them. */
import { useState } from 'react';
import { runMutation } from '../../api/client.js';
import { newThreadPrivacyMutation } from '../../api/late/settings-documents.js';
import type { Identity } from '../../api/types.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { useViewerChange } from '../../sign-in/session.js';
import { ReadersChoice } from '../../threads/readers.js';
import { Problem } from '../../ui/problem.js';

const texts = defineTexts('settings/account/new-threads', {
  title: 'New threads',
  legend: 'Who can read your new threads:',
  hint: 'You can choose otherwise for each thread. Threads that you have do not change.',
  saved: 'Saved.',
});

export function NewThreads({ me }: { me: Identity }) {
  const t = useTexts(texts);
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
      <h2>{t.title}</h2>
      <ReadersChoice
        legend={t.legend}
        isPrivate={me.newThreadsArePrivate}
        onChoose={(isPrivate) => void choose(isPrivate)}
      />
      <p className="field-hint">{t.hint}</p>
      <Problem message={result?.problem ?? null} />
      <p role="status">{result?.problem === null && <span className="notice">{t.saved}</span>}</p>
    </section>
  );
}

/** What an answer took: which model made it, from and to how many tokens, and in how much time. */
import { useEffect, useState } from 'react';
import { type Outcome, runQuery } from '../../api/client.js';
import { generationQuery } from '../../api/late/generation-documents.js';
import type { Generation } from '../../api/types.js';
import { useViewer } from '../../sign-in/session.js';
import { Button } from '../../ui/button.js';
import { Dialog } from '../../ui/dialog.js';
import { Problem } from '../../ui/field.js';
import './answer-details.css';

export interface AnswerDetailsProps {
  threadId: string;
  messageId: string;
  onClose: () => void;
}

export default function AnswerDetails({ threadId, messageId, onClose }: AnswerDetailsProps) {
  const [outcome, setOutcome] = useState<Outcome<Generation | null>>();
  useEffect(() => {
    let isGone = false;
    void runQuery(generationQuery, { threadId, id: messageId }).then((found) => {
      if (!isGone) setOutcome(found.ok ? { ok: true, value: found.value.message.generation } : found);
    });
    return () => {
      isGone = true;
    };
  }, [threadId, messageId]);
  return (
    <Dialog title="Details of this answer" onClose={onClose} isDismissible>
      {!outcome && <p role="status">Loading the details…</p>}
      {outcome?.ok && outcome.value && <Facts generation={outcome.value} />}
      {outcome?.ok && !outcome.value && <p>Nothing was recorded about this answer.</p>}
      <Problem message={outcome && !outcome.ok ? outcome.message : null} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

const number = new Intl.NumberFormat();
const seconds = new Intl.NumberFormat(undefined, {
  ...{ style: 'unit', unit: 'second', unitDisplay: 'short' },
  maximumFractionDigits: 1,
});

function Facts({ generation }: { generation: Generation }) {
  const { models } = useViewer();
  const { model, inputTokens, outputTokens, firstTokenSeconds } = generation;
  const facts: [string, string | null][] = [
    ['Model', models.find(({ id }) => id === model)?.label ?? model],
    ['Input tokens', inputTokens === null ? null : number.format(inputTokens)],
    ['Output tokens', outputTokens === null ? null : number.format(outputTokens)],
    ['Time to first token', firstTokenSeconds === null ? null : seconds.format(firstTokenSeconds)],
    ['Total time', seconds.format(generation.seconds)],
  ];
  return (
    <dl className="answer-details">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value === null ? 'Not known' : <bdi>{value}</bdi>}</dd>
        </div>
      ))}
    </dl>
  );
}

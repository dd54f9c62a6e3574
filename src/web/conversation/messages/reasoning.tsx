/** The reasoning before an answer, collapsed. That of a stored answer is loaded when it is opened, since it may be longer than the answer. */
import { type ToggleEvent, useState } from 'react';
import { runQuery } from '../../api/client.js';
import { reasoningQuery } from '../../api/message-documents.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { Problem } from '../../ui/problem.js';
import { Plain } from './plain.js';

const texts = defineTexts('conversation/messages/reasoning', {
  reasoning: 'Reasoning',
  thinking: 'Thinking…',
  loading: 'Loading the reasoning…',
  failed: withValues('{reason} Close this and open it again to try once more.'),
});

export interface ReasoningProps {
  /** The stored answer; neither is needed for what is known. */
  threadId?: string;
  messageId?: string;
  /** What was streamed to this page; null if the answer is older. */
  known: string | null;
  /** Whether the model has said nothing else so far. */
  isThinking?: boolean;
}

export function Reasoning({ threadId = '', messageId = '', known, isThinking = false }: ReasoningProps) {
  const t = useTexts(texts);
  const [loaded, setLoaded] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const text = known ?? loaded;
  const load = async () => {
    setProblem(null);
    const outcome = await runQuery(reasoningQuery, { threadId, id: messageId });
    if (outcome.ok) setLoaded(outcome.value.message.reasoning ?? '');
    else setProblem(t.failed({ reason: outcome.message }));
  };
  const onToggle = ({ newState }: ToggleEvent<HTMLDetailsElement>) => {
    if (newState === 'open' && text === null) void load();
  };
  return (
    <details className="thinking" onToggle={onToggle}>
      <summary>{isThinking ? t.thinking : t.reasoning}</summary>
      {text !== null && <Plain text={text} />}
      {text === null && !problem && <p role="status">{t.loading}</p>}
      <Problem message={problem} />
    </details>
  );
}

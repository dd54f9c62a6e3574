/** The choices of the question at the end of a thread. A message in one's own words answers the question too. */
import { useEffect, useState } from 'react';
import type { Choice } from '../api/types.js';
import { defineTexts, useTexts } from '../language/texts.js';
import { Button } from '../ui/button.js';
import { Problem } from '../ui/problem.js';
import { useProblem } from '../ui/state/use-problem.js';
import { isPlainKey } from '../ui/typing.js';
import { focusMessages } from './conversation-focus.js';
import type { ConversationStore } from './store/conversation-store.js';
import { answerChoice } from './store/send.js';

const texts = defineTexts('conversation/choices', { hint: 'Choose one, or answer in your own words below.' });

export interface ChoicesProps {
  question: Choice;
  store: ConversationStore;
}

export default function Choices({ question, store }: ChoicesProps) {
  const t = useTexts(texts);
  const [problem, setProblem] = useProblem();
  const [isSending, setSending] = useState(false);
  const choose = async (choice: string) => {
    setSending(true);
    focusMessages();
    const outcome = await answerChoice(store, question.toolUseId, choice);
    setSending(false);
    setProblem(outcome.ok ? null : outcome.message);
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const choice = question.choices[Number(event.key) - 1];
      if (choice === undefined || isSending || !isPlainKey(event)) return;
      event.preventDefault();
      void choose(choice);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
  return (
    <fieldset className="choices">
      <legend className="visually-hidden">{question.question}</legend>
      <div className="buttons choices-buttons">
        {question.choices.map((choice, index) => (
          <Button key={choice} dir="auto" disabled={isSending} onClick={() => void choose(choice)}>
            {index < 9 && (
              <span className="choice-key" aria-hidden="true">
                {index + 1}
              </span>
            )}
            {choice}
          </Button>
        ))}
      </div>
      <p className="field-hint">{t.hint}</p>
      <Problem message={problem} />
    </fieldset>
  );
}

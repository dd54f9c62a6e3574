/**
 * Chooses the model of the next message and of those after it. It is loaded only where there are several models, because most
 * services have one.
 */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useEffect, useRef, useState } from 'react';
import { runQuery } from '../../api/client.js';
import { threadModelQuery } from '../../api/late/model-documents.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { useViewer } from '../../sign-in/session.js';
import { chooseModel, chosenModel } from './chosen-model.js';
import './model-choice.css';

const texts = defineTexts('conversation/composer/model-choice', { model: 'Model' });

export interface ModelChoiceProps {
  /** The id of a thread, or "new". */
  place: string;
  /** Whether an answer runs. */
  isBusy: boolean;
}

export default function ModelChoice({ place, isBusy }: ModelChoiceProps) {
  const t = useTexts(texts);
  const { models } = useViewer();
  const ofThread = useThreadModel(place, isBusy);
  const [chosen, setChosen] = useState(chosenModel(place).model);
  const wanted = chosen ?? ofThread;
  const shown = models.find(({ id }) => id === wanted) ?? models.find(({ isDefault }) => isDefault);
  const choose = (model: string) => {
    chooseModel(place, model);
    setChosen(model);
  };
  return (
    <label className="model-choice">
      <span>{t.model}</span>
      <select value={shown?.id} onChange={({ target }) => choose(target.value)}>
        {models.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown />
    </label>
  );
}

/** The model of the thread, after each answer anew, since others choose too. Null while it is not known, or the default one. */
function useThreadModel(place: string, isBusy: boolean): string | null {
  const [model, setModel] = useState<string | null>(null);
  const isKnown = useRef(false);
  useEffect(() => {
    if (place === 'new' || (isBusy && isKnown.current)) return;
    let isGone = false;
    void runQuery(threadModelQuery, { id: place }).then((outcome) => {
      if (!outcome.ok || isGone) return;
      isKnown.current = true;
      setModel(outcome.value.thread.model);
    });
    return () => {
      isGone = true;
    };
  }, [place, isBusy]);
  return model;
}

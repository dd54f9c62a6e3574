/** Whether the system notifies the viewer of answers, in this browser. */
import { useState } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { wantsNotifications } from '../../threads/notifications/notification-choice.js';
import { forgetNotifications, turnNotificationsOn } from '../../threads/notifications/turn-on.js';
import { Problem } from '../../ui/problem.js';
import { useOnce } from '../../ui/state/use-once.js';

const texts = defineTexts('settings/account/notifications', {
  title: 'Notifications',
  label: 'Notify me when an answer in a thread of mine has ended',
  hint: 'By the system, while Skein is open and you look elsewhere. On this device alone: its browser asks you whether it may.',
});

export function Notifications() {
  const t = useTexts(texts);
  const [isOn, setOn] = useState(wantsNotifications);
  const [problem, setProblem] = useState<string | null>(null);
  const { isRunning, once } = useOnce();
  const choose = async (wanted: boolean) => {
    const refusal = wanted ? await turnNotificationsOn() : null;
    if (!wanted) forgetNotifications();
    setProblem(refusal);
    setOn(wanted && refusal === null);
  };
  return (
    <section>
      <h2>{t.title}</h2>
      <label className="settings-check">
        <input
          type="checkbox"
          checked={isOn}
          aria-disabled={isRunning}
          onChange={({ target }) => once(() => choose(target.checked))}
        />
        {t.label}
      </label>
      <p className="field-hint">{t.hint}</p>
      <Problem message={problem} />
    </section>
  );
}

/** Shows the secret of a new token once, with a command that tries it. */
import { useEffect, useRef } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';

const texts = defineTexts('settings/tokens/new-secret', {
  title: 'Copy the token now. It will not be shown again.',
  copyToken: 'Copy token',
  attempt: 'Try it:',
  copyCommand: 'Copy command',
  done: 'I have copied it',
});

export function NewSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const t = useTexts(texts);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  const curl = `curl -H 'Authorization: Bearer ${secret}' ${location.origin}/api/v1/me`;
  return (
    <div className="notice secret">
      <h3 ref={title} tabIndex={-1}>
        {t.title}
      </h3>
      <Copied label={t.copyToken} text={secret} />
      <p>{t.attempt}</p>
      <Copied label={t.copyCommand} text={curl} />
      <Button onClick={onDone}>{t.done}</Button>
    </div>
  );
}

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <div className="secret-line">
      <code dir="ltr">{text}</code>
      <CopyButton label={label} text={text} />
    </div>
  );
}

/** Shows the secret of a new token once, with a command that tries it. */
import { useEffect, useRef } from 'react';
import { holdPage } from '../../api/page-holds.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';

export function NewSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  useEffect(holdPage, []);
  const curl = `curl -H 'Authorization: Bearer ${secret}' ${location.origin}/api/v1/me`;
  return (
    <div className="notice secret">
      <h3 ref={title} tabIndex={-1}>
        Copy the token now. It will not be shown again.
      </h3>
      <Copied label="Copy token" text={secret} />
      <p>Try it:</p>
      <Copied label="Copy command" text={curl} />
      <Button onClick={onDone}>I have copied it</Button>
    </div>
  );
}

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <div className="secret-line">
      <code>{text}</code>
      <CopyButton label={label} text={text} />
    </div>
  );
}

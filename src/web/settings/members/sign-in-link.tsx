/** A one-time sign-in link for an administrator to pass on. */
import { Sentence } from '../../language/sentence.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Timestamp } from '../../ui/timestamp.js';

const texts = defineTexts('settings/members/sign-in-link', {
  send: 'Send this link to {email}. It signs them in once, expires {time}, and will not be shown again.',
  copy: 'Copy link',
});

export interface Invitation {
  email: string;
  link: string;
  expiresAt: string;
}

export function SignInLink({ invitation: { email, link, expiresAt } }: { invitation: Invitation }) {
  const t = useTexts(texts);
  return (
    <div className="notice secret" role="status">
      <p>
        <Sentence text={t.send} parts={{ email: <bdi>{email}</bdi>, time: <Timestamp at={expiresAt} /> }} />
      </p>
      <div className="secret-line">
        <code dir="ltr">{link}</code>
        <CopyButton label={t.copy} text={link} />
      </div>
    </div>
  );
}

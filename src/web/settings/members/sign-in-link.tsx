/** A one-time sign-in link for an administrator to pass on. */
import { useEffect } from 'react';
import { holdPage } from '../../api/page-holds.js';
import { CopyButton } from '../../ui/copy-button.js';
import { Timestamp } from '../../ui/timestamp.js';

export interface Invitation {
  email: string;
  link: string;
  expiresAt: string;
}

export function SignInLink({ invitation: { email, link, expiresAt } }: { invitation: Invitation }) {
  useEffect(holdPage, []);
  return (
    <div className="notice secret" role="status">
      <p>
        Send this link to {email}. It signs them in once, expires <Timestamp at={expiresAt} />, and will not be shown
        again.
      </p>
      <div className="secret-line">
        <code>{link}</code>
        <CopyButton label="Copy link" text={link} />
      </div>
    </div>
  );
}

/** A link that signs somebody in once, for whoever passes it on. */
import { CopyButton } from '../../ui/copy-button.js';
import { Moment } from '../../ui/timestamp.js';

export interface Invitation {
  email: string;
  link: string;
  expiresAt: string;
}

export function SignInLink({ invitation: { email, link, expiresAt } }: { invitation: Invitation }) {
  return (
    <div className="notice secret" role="status">
      <p>
        Send this link to {email}. It signs them in once, until <Moment at={expiresAt} />, and is not shown again.
      </p>
      <div className="secret-line">
        <code>{link}</code>
        <CopyButton label="Copy link" text={link} />
      </div>
    </div>
  );
}

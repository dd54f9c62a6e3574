/** The API tokens of the viewer: their scopes, their last use, and how to revoke them. */
import { useState } from 'react';
import { type Outcome, runMutation, runQuery } from '../../api/client.js';
import { revokeTokenMutation, tokensQuery } from '../../api/late/settings-documents.js';
import type { AccessToken } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { displayName } from '../../ui/display-name.js';
import { Problem } from '../../ui/field.js';
import { Timestamp } from '../../ui/timestamp.js';
import { Confirmation } from '../confirmation.js';
import { useList } from '../use-list.js';
import { NewSecret } from './new-secret.js';
import { nameOfScope } from './scopes.js';
import { TokenForm } from './token-form.js';

export function TokensPage() {
  const tokens = useList(fetchTokens);
  const [secret, setSecret] = useState<string | null>(null);
  const created = (madeSecret: string) => {
    setSecret(madeSecret);
    void tokens.load();
  };
  const dismiss = () => {
    setSecret(null);
    tokens.heading.current?.focus();
  };
  return (
    <>
      <section>
        <h2>API tokens</h2>
        <p className="field-hint">
          Programs use API tokens to call the REST or GraphQL API on your behalf. Give each program its own token, with
          only the permissions that it needs.
        </p>
        {secret ? <NewSecret secret={secret} onDone={dismiss} /> : <TokenForm onCreated={created} />}
      </section>
      <section>
        <h2 ref={tokens.heading} tabIndex={-1}>
          Your tokens
        </h2>
        <Problem message={tokens.problem} />
        <p role="status">{tokens.notice && <span className="notice">{tokens.notice}</span>}</p>
        {tokens.items?.length === 0 && <p className="field-hint">You have no tokens yet.</p>}
        <ul className="settings-list">
          {tokens.items?.map((token) => (
            <TokenRow key={token.id} token={token} onRevoked={tokens.removed} />
          ))}
        </ul>
      </section>
    </>
  );
}

function TokenRow({ token, onRevoked }: { token: AccessToken; onRevoked: (words: string) => Promise<void> }) {
  const [isAsking, setAsking] = useState(false);
  const name = displayName(token.name, 'Unnamed');
  const revoke = async () => {
    const outcome = await runMutation(revokeTokenMutation, { id: token.id });
    if (!outcome.ok) return outcome.message;
    setAsking(false);
    await onRevoked(`Requests that use ${name} are refused from now on.`);
    return null;
  };
  const hasEnded = token.revokedAt !== null || (token.expiresAt !== null && new Date(token.expiresAt) < new Date());
  return (
    <li data-ended={hasEnded}>
      <div>
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        <code>…{token.lastFour}</code>
        <p className="field-hint">{token.scopes.map(nameOfScope).join(', ')}</p>
        <p className="field-hint">
          {token.revokedAt ? 'Revoked' : <Expiry at={token.expiresAt} />} ·{' '}
          {token.lastUsedAt ? (
            <>
              last used <Timestamp at={token.lastUsedAt} />
            </>
          ) : (
            'never used'
          )}
        </p>
      </div>
      {!hasEnded && (
        <Button variant="danger" aria-label={`Revoke ${name}`} onClick={() => setAsking(true)}>
          Revoke
        </Button>
      )}
      {isAsking && (
        <Confirmation
          title={`Revoke ${name}?`}
          keep="Keep token"
          confirm="Revoke token"
          run={revoke}
          onClose={() => setAsking(false)}
        >
          <p>Requests that use this token are refused immediately. This cannot be undone.</p>
        </Confirmation>
      )}
    </li>
  );
}

function Expiry({ at }: { at: string | null }) {
  if (!at) return 'Never expires';
  return (
    <>
      {new Date(at) < new Date() ? 'Expired' : 'Expires'} <Timestamp at={at} />
    </>
  );
}

async function fetchTokens(): Promise<Outcome<AccessToken[]>> {
  const outcome = await runQuery(tokensQuery, {});
  return outcome.ok ? { ok: true, value: outcome.value.accessTokens } : outcome;
}

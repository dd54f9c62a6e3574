/** The API tokens of the viewer: what they may do, when they were last used, and an end to each. */
import { useCallback, useEffect, useState } from 'react';
import { ask, change } from '../api/client.js';
import { revokeTokenMutation, tokensQuery } from '../api/settings-documents.js';
import type { AccessToken } from '../api/types.js';
import { Button } from '../ui/button.js';
import { cleanName } from '../ui/clean-name.js';
import { Dialog } from '../ui/dialog.js';
import { Problem } from '../ui/field.js';
import { Moment } from '../ui/moment.js';
import { NewSecret } from './new-secret.js';
import { nameOfScope } from './scopes.js';
import { TokenForm } from './token-form.js';

export function TokensPage() {
  const [tokens, setTokens] = useState<AccessToken[] | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = useCallback(async () => {
    const outcome = await ask(tokensQuery, {});
    if (outcome.ok) setTokens(outcome.value.accessTokens);
    setProblem(outcome.ok ? null : outcome.message);
  }, []);
  useEffect(() => void load(), [load]);
  const created = (madeSecret: string) => {
    setSecret(madeSecret);
    void load();
  };
  return (
    <>
      <section>
        <h3>API tokens</h3>
        <p className="field-hint">
          A program that speaks to the REST or GraphQL interface for you sends one of these. Give each program its own,
          with no more than it needs.
        </p>
        {secret ? <NewSecret secret={secret} onDone={() => setSecret(null)} /> : <TokenForm onCreated={created} />}
      </section>
      <section>
        <h3>Your tokens</h3>
        <Problem message={problem} />
        {tokens?.length === 0 && <p className="field-hint">None yet. The one that you create is listed here.</p>}
        <ul className="settings-list">
          {tokens?.map((token) => (
            <TokenRow key={token.id} token={token} onRevoked={load} />
          ))}
        </ul>
      </section>
    </>
  );
}

function TokenRow({ token, onRevoked }: { token: AccessToken; onRevoked: () => Promise<void> }) {
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const name = cleanName(token.name, 'Unnamed');
  const revoke = async () => {
    const outcome = await change(revokeTokenMutation, { id: token.id });
    setProblem(outcome.ok ? null : outcome.message);
    if (!outcome.ok) return;
    setAsking(false);
    await onRevoked();
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
              last used <Moment at={token.lastUsedAt} />
            </>
          ) : (
            'never used'
          )}
        </p>
      </div>
      {!hasEnded && (
        <Button look="danger" aria-label={`Revoke ${name}`} onClick={() => setAsking(true)}>
          Revoke
        </Button>
      )}
      {isAsking && (
        <Dialog title={`Revoke ${name}?`} onClose={() => setAsking(false)}>
          <p>Programs that use it are refused at once, and it cannot be brought back.</p>
          <Problem message={problem} />
          <div className="dialog-actions">
            <Button look="quiet" onClick={() => setAsking(false)}>
              Keep it
            </Button>
            <Button look="danger" onClick={() => void revoke()}>
              Revoke token
            </Button>
          </div>
        </Dialog>
      )}
    </li>
  );
}

function Expiry({ at }: { at: string | null }) {
  if (!at) return 'No end';
  return (
    <>
      {new Date(at) < new Date() ? 'Ended' : 'Ends'} <Moment at={at} />
    </>
  );
}

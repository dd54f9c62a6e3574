/** The API tokens of the viewer: their scopes, their last use, and how to revoke them. */
import { useState } from 'react';
import { runMutation } from '../../api/client.js';
import { revokeTokenMutation, tokensQuery } from '../../api/late/settings-documents.js';
import type { AccessToken } from '../../api/types.js';
import { Sentence } from '../../language/sentence.js';
import { defineTexts, listed, useTexts, withValues } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { Confirmation } from '../../ui/confirmation.js';
import { displayName } from '../../ui/display-name.js';
import { Problem } from '../../ui/problem.js';
import { useList } from '../../ui/state/use-list.js';
import { Timestamp } from '../../ui/timestamp.js';
import { settingsPageTexts } from '../settings-pages.js';
import { NewSecret } from './new-secret.js';
import { nameOfScope } from './scopes.js';
import { TokenForm } from './token-form.js';

const texts = defineTexts('settings/tokens/tokens-page', {
  hint: 'Programs use API tokens to call the REST or GraphQL API on your behalf. Give each program its own token, with only the permissions that it needs.',
  yours: 'Your tokens',
  none: 'You have no tokens yet.',
  unnamed: 'Unnamed',
  revokedNow: withValues('Requests that use {name} are refused from now on.'),
  revoked: 'Revoked',
  lastUsed: 'last used {time}',
  neverUsed: 'never used',
  revoke: 'Revoke',
  revokeName: withValues('Revoke {name}'),
  question: withValues('Revoke {name}?'),
  keep: 'Keep token',
  confirm: 'Revoke token',
  consequence: 'Requests that use this token are refused immediately. This cannot be undone.',
  never: 'Never expires',
  expired: 'Expired {time}',
  expires: 'Expires {time}',
});

export function TokensPage() {
  const t = useTexts(texts);
  const pages = useTexts(settingsPageTexts);
  const tokens = useList(tokensQuery, {}, ({ accessTokens }) => accessTokens);
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
        <h2>{pages.tokens}</h2>
        <p className="field-hint">{t.hint}</p>
        {secret ? <NewSecret secret={secret} onDone={dismiss} /> : <TokenForm onCreated={created} />}
      </section>
      <section>
        <h2 ref={tokens.heading} tabIndex={-1}>
          {t.yours}
        </h2>
        <Problem message={tokens.problem} />
        <p role="status">{tokens.notice && <span className="notice">{tokens.notice}</span>}</p>
        {tokens.items?.length === 0 && <p className="field-hint">{t.none}</p>}
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
  const t = useTexts(texts);
  const [isAsking, setAsking] = useState(false);
  const name = displayName(token.name, t.unnamed);
  const revoke = async () => {
    const outcome = await runMutation(revokeTokenMutation, { id: token.id });
    if (!outcome.ok) return outcome.message;
    setAsking(false);
    await onRevoked(t.revokedNow({ name }));
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
        <p className="field-hint">{listed(token.scopes.map(nameOfScope))}</p>
        {/* Another element, as in `ReadersLine`. */}
        <p key={token.revokedAt} className="field-hint">
          {token.revokedAt ? t.revoked : <Expiry at={token.expiresAt} />} ·{' '}
          {token.lastUsedAt ? (
            <Sentence text={t.lastUsed} parts={{ time: <Timestamp at={token.lastUsedAt} /> }} />
          ) : (
            t.neverUsed
          )}
        </p>
      </div>
      {!hasEnded && (
        <Button variant="danger" aria-label={t.revokeName({ name })} onClick={() => setAsking(true)}>
          {t.revoke}
        </Button>
      )}
      {isAsking && (
        <Confirmation
          title={t.question({ name })}
          keep={t.keep}
          confirm={t.confirm}
          run={revoke}
          onClose={() => setAsking(false)}
        >
          <p>{t.consequence}</p>
        </Confirmation>
      )}
    </li>
  );
}

function Expiry({ at }: { at: string | null }) {
  const t = useTexts(texts);
  if (!at) return t.never;
  return <Sentence text={new Date(at) < new Date() ? t.expired : t.expires} parts={{ time: <Timestamp at={at} /> }} />;
}

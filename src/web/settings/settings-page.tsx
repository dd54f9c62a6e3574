/** The settings: the account, API tokens, the members of the organization, and for administrators its usage and feedback. */
import { useEffect } from 'react';
import { Link } from 'wouter';
import { runQuery } from '../api/client.js';
import type { Identity } from '../api/types.js';
import { meQuery } from '../api/viewer-documents.js';
import { defineTexts, useTexts } from '../language/texts.js';
import NotFoundPage from '../shell/not-found-page.js';
import { useViewer, useViewerChange } from '../sign-in/session.js';
import { BackLink } from '../ui/common-buttons.js';
import { useTitle } from '../ui/page/title.js';
import { scrollable } from '../ui/scrollable.js';
import { AccountPage } from './account/account-page.js';
import { FeedbackPage } from './feedback/feedback-page.js';
import { MembersPage } from './members/members-page.js';
import { isSettingsPage, settingsPagesFor, settingsPageTexts } from './settings-pages.js';
import { TokensPage } from './tokens/tokens-page.js';
import { UsagePage } from './usage/usage-page.js';
import './settings.css';

const texts = defineTexts('settings/settings-page', { settings: 'Settings' });

export default function SettingsPage({ page }: { page: string }) {
  const t = useTexts(texts);
  const pages = useTexts(settingsPageTexts);
  const me = useViewer();
  useRoleByNow(me);
  const names = settingsPagesFor(me);
  const isKnown = isSettingsPage(page);
  useTitle(isKnown ? pages[page] : t.settings);
  if (!isKnown) return <NotFoundPage />;
  if (!names.includes(page)) return <NotFoundPage what="restricted" />;
  return (
    <div className="settings" {...scrollable}>
      <header className="settings-head">
        <BackLink />
        <h1>{t.settings}</h1>
      </header>
      <nav aria-label={t.settings} className="settings-tabs">
        {names.map((name) => (
          <Link key={name} href={`/settings/${name}`} aria-current={name === page ? 'page' : undefined}>
            {pages[name]}
          </Link>
        ))}
      </nav>
      {page === 'account' && <AccountPage me={me} />}
      {page === 'tokens' && <TokensPage />}
      {page === 'members' && <MembersPage me={me} />}
      {page === 'usage' && <UsagePage me={me} />}
      {page === 'feedback' && <FeedbackPage me={me} />}
    </div>
  );
}

/** Another administrator may have changed the role of the viewer since the application was loaded. */
function useRoleByNow({ role }: Identity): void {
  const change = useViewerChange();
  useEffect(() => {
    void runQuery(meQuery, {}).then((outcome) => {
      if (outcome.ok && outcome.value.me.role !== role) change({ role: outcome.value.me.role });
    });
  }, [role, change]);
}

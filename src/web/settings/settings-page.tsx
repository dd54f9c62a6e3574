/** The settings: the account, API tokens, the members of the organization, and for administrators its usage and feedback. */
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { Link } from 'wouter';
import { defineTexts, useTexts } from '../language/texts.js';
import NotFoundPage from '../shell/not-found-page.js';
import { useViewer } from '../sign-in/session.js';
import { useTitle } from '../ui/page/title.js';
import { AccountPage } from './account/account-page.js';
import { FeedbackPage } from './feedback/feedback-page.js';
import { MembersPage } from './members/members-page.js';
import { isSettingsPage, settingsPagesFor, settingsPageTexts } from './settings-pages.js';
import { TokensPage } from './tokens/tokens-page.js';
import { UsagePage } from './usage/usage-page.js';
import './settings.css';

const texts = defineTexts('settings/settings-page', { settings: 'Settings', back: 'Back to threads' });

export default function SettingsPage({ page }: { page: string }) {
  const t = useTexts(texts);
  const pages = useTexts(settingsPageTexts);
  const me = useViewer();
  const names = settingsPagesFor(me);
  const isKnown = isSettingsPage(page);
  useTitle(isKnown ? pages[page] : t.settings);
  if (!isKnown) return <NotFoundPage />;
  if (!names.includes(page)) return <NotFoundPage what="restricted" />;
  return (
    <div className="settings" {...scrollable}>
      <header className="settings-head">
        <Link href="/" className="button button-icon only-phone" aria-label={t.back}>
          <ArrowLeft />
        </Link>
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

/** A scrollable element must be reachable by keyboard. */
const scrollable = { tabIndex: 0 };

/** The settings: the account, API tokens, and the members of the organization. */
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { Link } from 'wouter';
import { NotFoundPage } from '../shell/not-found-page.js';
import { useViewer } from '../sign-in/session.js';
import { useTitle } from '../ui/page/title.js';
import { AccountPage } from './account/account-page.js';
import { MembersPage } from './members/members-page.js';
import { TokensPage } from './tokens/tokens-page.js';
import './settings.css';

const pages = { account: 'Account', tokens: 'API tokens', members: 'Members' } as const;

type PageName = keyof typeof pages;

export default function SettingsPage({ page }: { page: string }) {
  const me = useViewer();
  useTitle(isPage(page) ? pages[page] : 'Settings');
  if (!isPage(page)) return <NotFoundPage />;
  return (
    <div className="settings" {...scrollable}>
      <header className="settings-head">
        <Link href="/" className="button button-icon only-phone" aria-label="Back to threads">
          <ArrowLeft />
        </Link>
        <h1>Settings</h1>
      </header>
      <nav aria-label="Settings" className="settings-tabs">
        {Object.entries(pages).map(([name, title]) => (
          <Link key={name} href={`/settings/${name}`} aria-current={name === page ? 'page' : undefined}>
            {title}
          </Link>
        ))}
      </nav>
      {page === 'account' && <AccountPage me={me} />}
      {page === 'tokens' && <TokensPage />}
      {page === 'members' && <MembersPage me={me} />}
    </div>
  );
}

/** A scrollable element must be reachable by keyboard. */
const scrollable = { tabIndex: 0 };

function isPage(name: string): name is PageName {
  return Object.hasOwn(pages, name);
}

/** The entry point of the web application. */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.js';
import { preloadMarkdown } from './conversation/markdown/rich-text.js';
import { loadAhead } from './conversation/store/conversation-loads.js';
import { startLanguage } from './language/chosen-language.js';
import { ErrorBoundary } from './shell/error-boundary.js';
import { keepKeysOfInputMethods } from './ui/input-method.js';
import { keepPageForDrops } from './ui/page/keep-page-for-drops.js';
import { watchStyles } from './ui/state/import-with-retry.js';
import { servedVersion } from './update/served-version.js';
import { UpdateNotice } from './update/update-notice.js';
import './styles/fonts.css';
import './styles/tokens.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id "root".');
keepKeysOfInputMethods();
keepPageForDrops();
watchStyles();
servedVersion.watch();
// Both load while the service is asked who is signed in.
if (location.pathname.startsWith('/threads/')) preloadMarkdown();
loadAhead(location.pathname);
void startLanguage().then(() =>
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary place="app">
        <App />
      </ErrorBoundary>
      <UpdateNotice />
    </StrictMode>,
  ),
);

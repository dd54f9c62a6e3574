import { Redirect, Route, Switch, useLocation } from 'wouter';
import { ConversationPage } from './conversation/conversation-page.js';
import { NewThreadPage } from './conversation/new-thread-page.js';
import { ErrorBoundary } from './shell/error-boundary.js';
import { Shell } from './shell/shell.js';
import { Unreachable } from './shell/unreachable.js';
import { useEarlyPalette } from './shell/use-shortcuts.js';
import { useSession, Viewer, ViewerChange } from './sign-in/session.js';
import { ThreadListProvider } from './threads/store/thread-list-context.js';
import { late } from './ui/state/late-component.js';

const NotFoundPage = late(() => import('./shell/not-found-page.js'));
const SignInPage = late(() => import('./sign-in/sign-in-page.js'));
const SettingsPage = late(() => import('./settings/settings-page.js'));

export function App() {
  const session = useSession();
  if (session.status === 'loading') return <Splash />;
  if (session.status === 'unreachable') return <Unreachable retry={session.reload} />;
  if (session.status === 'signedOut') {
    return (
      <ErrorBoundary place="sign-in">
        <SignInPage end={session.end} onSignedIn={session.reload} />
      </ErrorBoundary>
    );
  }
  return (
    <Viewer value={session.me}>
      <ViewerChange value={session.change}>
        <ThreadListProvider>
          <Shell>
            <Pages />
          </Shell>
        </ThreadListProvider>
      </ViewerChange>
    </Viewer>
  );
}

/** `index.html` shows the same until this runs. */
function Splash() {
  useEarlyPalette();
  return <p className="splash brand">Skein</p>;
}

function Pages() {
  const [location] = useLocation();
  return (
    <ErrorBoundary place={location}>
      <Switch>
        <Route path="/">
          <NewThreadPage key="start" />
        </Route>
        <Route path="/new">
          <NewThreadPage key="new" />
        </Route>
        <Route path="/threads/:threadId/messages/:messageId">
          {({ threadId, messageId }) => <ConversationPage key={threadId} threadId={threadId} messageId={messageId} />}
        </Route>
        <Route path="/threads/:threadId">
          {({ threadId }) => <ConversationPage key={threadId} threadId={threadId} />}
        </Route>
        <Route path="/sign-in">
          <Redirect to="/" replace />
        </Route>
        <Route path="/settings/:page?">{({ page }) => <SettingsPage page={page ?? 'account'} />}</Route>
        <Route>
          <NotFoundPage />
        </Route>
      </Switch>
    </ErrorBoundary>
  );
}

/**
 * The frame of the application: the list of threads and the open page, side by side on a wide screen and one at a time on a
 * narrow one.
 */
import Plus from 'lucide-react/icons/plus';
import Settings2 from 'lucide-react/icons/settings-2';
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import { useConnected } from '../api/connection-state.js';
import { useViewer } from '../sign-in/session.js';
import { ThreadPanel } from '../threads/panel/thread-panel.js';
import { displayName } from '../ui/display-name.js';
import { ThemeSwitch } from './theme-switch.js';
import '../ui/button.css';
import './shell.css';

export function Shell({ children }: { children: ReactNode }) {
  const [location, navigate] = useLocation();
  const me = useViewer();
  useShortcuts(navigate);
  useFocusOnPages(location);
  // On a narrow screen the list is the page itself.
  const isListAlone = useIsNarrow() && location === '/';
  const Name = isListAlone ? 'h1' : 'p';
  return (
    <div className="shell" data-page={location === '/' ? 'list' : 'stage'} role={isListAlone ? 'main' : undefined}>
      {!isListAlone && (
        <a className="skip" href="#stage">
          Skip to content
        </a>
      )}
      <nav className="panel" aria-label="Threads" tabIndex={-1}>
        <header className="panel-head">
          <Name className="panel-name">
            <Link href="/" className="brand">
              Skein
            </Link>
          </Name>
          <Link href="/new" className="button button-icon" aria-label="New thread" title="New thread (Alt+N)">
            <Plus />
          </Link>
        </header>
        <ThreadPanel />
        <footer className="panel-foot">
          <span>{displayName(me.name ?? me.email, 'You')}</span>
          <ThemeSwitch />
          <Link href="/settings" className="button button-icon" aria-label="Settings" title="Settings">
            <Settings2 />
          </Link>
        </footer>
      </nav>
      <main className="stage" id="stage" tabIndex={-1}>
        <Connection />
        {children}
      </main>
    </div>
  );
}

function Connection() {
  const isConnected = useConnected();
  return <div role="status">{!isConnected && <p className="connection">Connection lost. Reconnecting…</p>}</div>;
}

const narrow = matchMedia('(max-width: 47.99rem)');

/** Whether the screen is narrow. The style sheets use the same breakpoint. */
function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      narrow.addEventListener('change', onChange);
      return () => narrow.removeEventListener('change', onChange);
    },
    () => narrow.matches,
  );
}

/** Keyboard shortcuts. */
function useShortcuts(navigate: (path: string) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isWriting = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.altKey && event.code === 'KeyN') {
        event.preventDefault();
        navigate('/new');
        // If that page is already open, it does not take the focus by itself.
        document.querySelector<HTMLElement>('.new-thread textarea')?.focus();
      } else if (event.key === '/' && !isWriting && !event.ctrlKey && !event.metaKey && !event.altKey) {
        const search = document.querySelector<HTMLElement>('[data-shortcut=search]');
        if (!search) return;
        event.preventDefault();
        search.focus();
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [navigate]);
}

/** Moves the focus to the new page after a navigation if the focused element was removed or hidden. */
function useFocusOnPages(location: string): void {
  const shown = useRef(location);
  useEffect(() => {
    // A page that was just loaded starts at its top.
    if (shown.current === location) return;
    shown.current = location;
    const { activeElement: focused, body } = document;
    if (focused && focused !== body && focused.getClientRects().length > 0) return;
    document.querySelector<HTMLElement>(location === '/' ? '.panel' : '.stage')?.focus();
  }, [location]);
}

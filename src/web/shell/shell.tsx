/**
 * The frame of the application: the list of threads and the open page, side by side on a wide screen and one at a time on a
 * narrow one.
 */
import { type CSSProperties, type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react';
import { useLocation } from 'wouter';
import { setConnected, useConnected } from '../api/connection-state.js';
import { defineTexts, useTexts } from '../language/texts.js';
import { useThreadList } from '../threads/store/thread-list-context.js';
import { OpenDialogView } from '../ui/page/open-dialog.js';
import { useUnreadCount } from '../ui/page/title.js';
import { useListWidth } from './list-width.js';
import { Overlays } from './overlays.js';
import { Panel } from './panel.js';
import { useShortcuts } from './use-shortcuts.js';
import '../ui/button.css';
import './shell.css';

const texts = defineTexts('shell/shell', { skip: 'Skip to content', lost: 'Connection lost. Reconnecting…' });

export function Shell({ children }: { children: ReactNode }) {
  const t = useTexts(texts);
  const [location, navigate] = useLocation();
  const { overlay, setOverlay } = useShortcuts(navigate);
  useFocusOnPages(location);
  const { unread, watched } = useThreadList();
  useUnreadCount([...unread].filter((id) => id !== watched).length);
  // On a narrow screen the list is the page itself.
  const isNarrow = useIsNarrow();
  const isListAlone = isNarrow && location === '/';
  const { px, isCollapsed: isUnwanted } = useListWidth();
  const isCollapsed = isUnwanted && !isNarrow;
  return (
    <div
      className="shell"
      data-page={location === '/' ? 'list' : 'stage'}
      data-list={isCollapsed ? 'collapsed' : 'shown'}
      style={{ '--list-width': `${px}px` } as CSSProperties}
      role={isListAlone ? 'main' : undefined}
    >
      {!isListAlone && (
        <a className="skip" href="#stage">
          {t.skip}
        </a>
      )}
      <Panel isAlone={isListAlone} isCollapsed={isCollapsed} hasEdge={!isNarrow} />
      <main className="stage" id="stage" tabIndex={-1}>
        {children}
      </main>
      <Connection />
      <Overlays overlay={overlay} onChange={setOverlay} />
      <OpenDialogView />
    </div>
  );
}

function Connection() {
  const isConnected = useConnected();
  const { lost } = useTexts(texts);
  // The stream ends with the session, which is no failure to the next one.
  useEffect(() => () => setConnected(true), []);
  return (
    <div role="status" className="connection">
      {!isConnected && lost}
    </div>
  );
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

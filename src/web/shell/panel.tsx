/** The list of threads with what stands above and below it. Collapsed, only its buttons are left. */
import Contrast from 'lucide-react/icons/contrast';
import PanelLeft from 'lucide-react/icons/panel-left';
import Plus from 'lucide-react/icons/plus';
import Settings2 from 'lucide-react/icons/settings-2';
import { Link } from 'wouter';
import { defineTexts, useTexts } from '../language/texts.js';
import { useViewer } from '../sign-in/session.js';
import { ThreadPanel } from '../threads/panel/thread-panel.js';
import { IconButton } from '../ui/button.js';
import { viewerName } from '../ui/display-name.js';
import { chooseTheme, type Theme, useTheme } from '../ui/page/theme.js';
import { PersonMark } from '../ui/person-mark.js';
import { ListEdge } from './list-edge.js';
import { toggleList } from './list-width.js';

const texts = defineTexts('shell/panel', {
  threads: 'Threads',
  newThread: 'New thread',
  newThreadKeys: 'New thread (Ctrl+Shift+O or ⌘+Shift+O)',
  settings: 'Settings',
  list: 'List of threads',
  show: 'Show the list of threads (Ctrl+B or ⌘+B)',
  hide: 'Hide the list of threads (Ctrl+B or ⌘+B)',
  system: 'Theme: system. Switch to light',
  light: 'Theme: light. Switch to dark',
  dark: 'Theme: dark. Switch to system',
});

export interface PanelProps {
  /** Whether it is the page itself, as on a narrow screen. */
  isAlone: boolean;
  isCollapsed: boolean;
  /** Whether its width can be changed. */
  hasEdge: boolean;
}

export function Panel({ isAlone, isCollapsed, hasEdge }: PanelProps) {
  const t = useTexts(texts);
  const me = useViewer();
  const Name = isAlone ? 'h1' : 'p';
  return (
    <nav className="panel" id="threads" aria-label={t.threads} tabIndex={-1}>
      <header className="panel-head">
        {hasEdge && <ListToggle isCollapsed={isCollapsed} />}
        <Name className="panel-name">
          <Link href="/" className="brand">
            Skein
          </Link>
        </Name>
        <Link href="/new" className="button button-icon" aria-label={t.newThread} title={t.newThreadKeys}>
          <Plus />
        </Link>
      </header>
      {!isCollapsed && <ThreadPanel />}
      <footer className="panel-foot">
        <PersonMark id={me.sub} name={me.name} />
        <span className="one-line">
          <bdi>{viewerName(me)}</bdi>
        </span>
        <ThemeSwitch />
        <Link href="/settings" className="button button-icon" aria-label={t.settings} title={t.settings}>
          <Settings2 />
        </Link>
      </footer>
      {!isCollapsed && hasEdge && <ListEdge />}
    </nav>
  );
}

function ListToggle({ isCollapsed }: { isCollapsed: boolean }) {
  const t = useTexts(texts);
  return (
    <IconButton
      icon={PanelLeft}
      label={t.list}
      className="list-toggle"
      aria-expanded={!isCollapsed}
      aria-controls="threads"
      title={isCollapsed ? t.show : t.hide}
      onClick={toggleList}
    />
  );
}

const following: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

/** Goes from the theme of the system to light, dark and back. */
function ThemeSwitch() {
  const t = useTexts(texts);
  const theme = useTheme();
  return <IconButton icon={Contrast} label={t[theme]} onClick={() => chooseTheme(following[theme])} />;
}

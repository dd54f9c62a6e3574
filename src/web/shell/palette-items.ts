/** What the palette offers: commands, and threads by the search of the list. */
import type { LucideIcon } from 'lucide-react';
import Contrast from 'lucide-react/icons/contrast';
import Keyboard from 'lucide-react/icons/keyboard';
import LogOut from 'lucide-react/icons/log-out';
import MessageSquare from 'lucide-react/icons/message-square';
import Plus from 'lucide-react/icons/plus';
import Settings2 from 'lucide-react/icons/settings-2';
import { useEffect, useState } from 'react';
import { runQuery } from '../api/client.js';
import { threadsQuery } from '../api/thread-documents.js';
import type { Identity, Thread, ThreadFilter } from '../api/types.js';
import { defineTexts, withValues } from '../language/texts.js';
import { leave } from '../settings/account/leave.js';
import { settingsPagesFor, settingsPageTexts } from '../settings/settings-pages.js';
import { signOut } from '../sign-in/auth-api.js';
import { filterOf } from '../threads/store/thread-filter.js';
import { useThreadList } from '../threads/store/thread-list-context.js';
import { commonTexts } from '../ui/common-buttons.js';
import { threadTitle } from '../ui/display-name.js';
import { chooseTheme } from '../ui/page/theme.js';
import { keyTexts } from './keys.js';

const texts = defineTexts('shell/palette-items', {
  settings: withValues('Settings: {page}'),
  light: 'Theme: light',
  dark: 'Theme: dark',
  system: 'Theme: system',
});

export interface PaletteItem {
  id: string;
  icon: LucideIcon;
  label: string;
  /** When something happened in a thread last, which tells those of the same name apart. */
  at?: string;
  /** Where it leads, or what it does. */
  path?: string;
  run?: () => void;
  /** What the service may refuse. Resolves to the reason, which is then shown; null if it was done. */
  attempt?: () => Promise<string | null>;
}

const pauseMs = 150;
const mostThreads = 8;

export function commandsFor(me: Identity, showKeys: () => void): PaletteItem[] {
  const t = texts.get();
  const { newThread, help } = keyTexts.get();
  const pages = settingsPageTexts.get();
  return [
    { id: 'new', icon: Plus, label: newThread, path: '/new' },
    ...settingsPagesFor(me).map((page) => ({
      ...{ id: page, icon: Settings2, label: t.settings({ page: pages[page] }), path: `/settings/${page}` },
    })),
    ...(['light', 'dark', 'system'] as const).map((theme) => ({
      ...{ id: theme, icon: Contrast, label: t[theme], run: () => chooseTheme(theme) },
    })),
    { id: 'keys', icon: Keyboard, label: help, run: showKeys },
    { id: 'out', icon: LogOut, label: commonTexts.get().signOut, attempt: () => leave(signOut()) },
  ];
}

/** The commands that have every word, in any order. */
export function matching(commands: readonly PaletteItem[], written: string): PaletteItem[] {
  const words = written.toLowerCase().split(/\s+/);
  return commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

/** The threads that a search has found so far. */
interface Found {
  threads: readonly Thread[];
  /** Whether it goes on, or has left out older threads. */
  rest: 'searching' | 'unsearched' | null;
}

const nothing: Found = { threads: [], rest: null };

/** A search that finds little ends its pages early. The palette does not search all threads for as long as that may take. */
const mostPages = 10;

/** Searches page by page, and yields what is found with each of them. */
async function* searchThreads(q: string): AsyncGenerator<Found> {
  const filter = filterOf({ view: 'all', person: null, tag: null }, q);
  const found: Thread[] = [];
  let after: string | null = null;
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await pageOf({ filter, after, first: mostThreads - found.length });
    found.push(...(answer?.edges ?? []).map(({ node }) => node));
    const isDone = !answer?.pageInfo.hasNextPage || found.length >= mostThreads;
    if (isDone) return yield { threads: found, rest: null };
    yield { threads: [...found], rest: page < mostPages ? 'searching' : 'unsearched' };
    after = answer.pageInfo.endCursor;
  }
}

async function pageOf(variables: { filter: ThreadFilter; after: string | null; first: number }) {
  const outcome = await runQuery(threadsQuery, variables);
  return outcome.ok ? outcome.value.threads : null;
}

/** The threads that a search finds; without words, the newest ones of the list. */
export function useThreadItems(written: string): { items: PaletteItem[]; rest: Found['rest'] } {
  const { threads } = useThreadList();
  const [found, setFound] = useState(nothing);
  useEffect(() => {
    if (!written) return setFound(nothing);
    let isWanted = true;
    const timer = setTimeout(async () => {
      for await (const now of searchThreads(written)) {
        if (!isWanted) return;
        setFound(now);
      }
    }, pauseMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [written]);
  const shown = written ? found.threads : threads.slice(0, mostThreads);
  const items = shown.map((thread) => ({
    ...{ id: thread.id, icon: MessageSquare, label: threadTitle(thread) },
    ...{ at: thread.activeAt, path: `/threads/${thread.id}` },
  }));
  return { items, rest: written ? found.rest : null };
}

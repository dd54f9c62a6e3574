/** The list of threads with its search field and its views. */
import SearchIcon from 'lucide-react/icons/search';
import { useEffect, useRef, useState } from 'react';
import { useRoute } from 'wouter';
import { textLimits } from '../../../contract/text-limits.js';
import { Button } from '../../ui/button.js';
import { type View, views } from '../store/thread-filter.js';
import { useThreadList, useThreadListStore } from '../store/thread-list-context.js';
import { EmptyList } from './empty-list.js';
import { ThreadRow } from './thread-row.js';
import './thread-panel.css';

const pauseMs = 150;

export function ThreadPanel() {
  const store = useThreadListStore();
  const { threads, matches, status, problem, hasMore, loads, view, q } = useThreadList();
  const [written, setWritten] = useState(q);
  const [, opened] = useRoute('/threads/:id/*?');
  useEffect(() => {
    const timer = setTimeout(() => store.show(view, written.trim()), written ? pauseMs : 0);
    return () => clearTimeout(timer);
  }, [store, view, written]);
  return (
    <>
      <Search written={written} onWrite={setWritten} />
      <Views view={view} onChoose={(chosen) => store.show(chosen, written.trim())} />
      <div className="thread-scroll">
        {problem && status === 'failed' && (
          <div className="notice notice-danger" role="alert">
            {problem} <Button onClick={store.reload}>Try again</Button>
          </div>
        )}
        <p role="status" className="visually-hidden">
          {q && status === 'ready' ? `${threads.length}${hasMore ? ' or more' : ''} threads found` : ''}
        </p>
        {threads.length === 0 && status === 'ready' && !hasMore && <EmptyList view={view} q={q} />}
        <ul className="thread-list" aria-busy={status === 'loading'}>
          {threads.map((thread) => (
            <ThreadRow
              key={thread.id}
              thread={thread}
              isOpen={opened?.id === thread.id}
              match={matches.get(thread.id)}
            />
          ))}
        </ul>
        {hasMore && <More key={loads} onSeen={store.loadMore} />}
      </div>
    </>
  );
}

function Search({ written, onWrite }: { written: string; onWrite: (text: string) => void }) {
  return (
    <search className="thread-search">
      <SearchIcon />
      <input
        type="search"
        className="input"
        placeholder="Search threads"
        aria-label="Search threads"
        title="Search (/)"
        data-shortcut="search"
        maxLength={textLimits.search.max}
        value={written}
        onChange={({ target }) => onWrite(target.value)}
        onKeyDown={({ key }) => key === 'Escape' && onWrite('')}
      />
    </search>
  );
}

function Views({ view, onChoose }: { view: View; onChoose: (view: View) => void }) {
  return (
    <fieldset className="thread-views">
      <legend className="visually-hidden">Filter threads</legend>
      {views.map((item) => (
        <button key={item.view} type="button" aria-pressed={view === item.view} onClick={() => onChoose(item.view)}>
          {item.label}
        </button>
      ))}
    </fieldset>
  );
}

/**
 * Loads the next page when the end of the list comes near. It is mounted again after each page, since the end may still be
 * in sight.
 */
function More({ onSeen }: { onSeen: () => Promise<void> }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && void onSeen(), {
      rootMargin: '400px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [onSeen]);
  return (
    <div ref={end} className="thread-more">
      Loading more…
    </div>
  );
}

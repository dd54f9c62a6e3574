/** The list of threads with its search field and its views. */
import SearchIcon from 'lucide-react/icons/search';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { textLimits } from '../../../contract.js';
import { counted, defineTexts, useTexts } from '../../language/texts.js';
import { RetryButton } from '../../ui/common-buttons.js';
import { Pills } from '../../ui/pills.js';
import { late } from '../../ui/state/late-component.js';
import { type Part, type Person, partOf, partOfView, views } from '../store/thread-filter.js';
import { useThreadList, useThreadListStore } from '../store/thread-list-context.js';
import { ArchiveBar } from './archive-bar.js';
import { PersonMenu, TagMenu } from './filter-menus.js';
import { ThreadGroups } from './thread-groups.js';
import { useListKeys } from './use-list-keys.js';
import './thread-panel.css';

const texts = defineTexts('threads/panel/thread-panel', {
  all: 'All',
  mine: 'Mine',
  private: 'Private',
  archived: 'Archived',
  filter: 'Filter threads',
  found: counted({ one: '{count} thread found', other: '{count} threads found' }),
  foundOrMore: counted({ one: '{count} or more threads found', other: '{count} or more threads found' }),
  search: 'Search threads',
  searchKey: 'Search (/)',
  more: 'Loading more…',
});

const FilterChips = late(() => import('./filter-chips.js'));
const EmptyList = late(() => import('./empty-list.js'));
const OlderSearch = late(() => import('./older-search.js'));

const pauseMs = 150;

export function ThreadPanel() {
  const t = useTexts(texts);
  const store = useThreadListStore();
  const { threads, status, problem, hasMore, loads, emptyPages, view, person, tag, q } = useThreadList();
  const [written, setWritten] = useState(q);
  const panel = useRef<HTMLDivElement>(null);
  useListKeys(panel, store.archiving.cancel);
  const [, navigate] = useLocation();
  useEffect(() => {
    const timer = setTimeout(() => store.show({ view, person, tag }, written.trim()), written ? pauseMs : 0);
    return () => clearTimeout(timer);
  }, [store, view, person, tag, written]);
  const show = (part: Part) => store.show(part, written.trim());
  const choosePerson = (chosen: Person | null) => show(partOf(chosen, { view, person, tag }));
  const chooseTag = (chosen: string | null) => show({ view, person, tag: chosen });
  // What is shown may still be the result of an earlier search.
  const isCurrent = status === 'ready' && q === written.trim();
  const openFirst = () => {
    const [first] = threads;
    if (isCurrent && q && first) navigate(`/threads/${first.id}`);
  };
  return (
    <div ref={panel} className="thread-panel">
      <div className="thread-find">
        <Search written={written} onWrite={setWritten} onEnter={openFirst} />
        <PersonMenu person={person} onChoose={choosePerson} />
        <TagMenu tag={tag} onChoose={chooseTag} />
      </div>
      <Pills
        className="thread-views"
        legend={t.filter}
        items={views.map((value) => ({ value, label: t[value] }))}
        value={view}
        onChoose={(chosen) => show(partOfView(chosen, { view, person, tag }))}
      />
      {(person || tag !== null) && <FilterChips person={person} tag={tag} onPerson={choosePerson} onTag={chooseTag} />}
      <div className="thread-scroll">
        {problem && status === 'failed' && (
          <div className="notice notice-danger" role="alert">
            {problem} <RetryButton onClick={store.reload} />
          </div>
        )}
        <p role="status" className="visually-hidden">
          {q && status === 'ready' ? (hasMore ? t.foundOrMore : t.found)(threads.length) : ''}
        </p>
        {threads.length === 0 && status === 'ready' && !hasMore && (
          <EmptyList view={view} person={person} tag={tag} q={q} />
        )}
        <ThreadGroups />
        {hasMore && emptyPages === 0 && <More key={loads} onSeen={store.loadMore} />}
        {hasMore && emptyPages > 0 && <OlderSearch key={q} />}
      </div>
      <ArchiveBar />
    </div>
  );
}

interface SearchProps {
  written: string;
  onWrite: (text: string) => void;
  onEnter: () => void;
}

function Search({ written, onWrite, onEnter }: SearchProps) {
  const t = useTexts(texts);
  return (
    <search className="thread-search">
      <SearchIcon />
      <input
        type="search"
        className="input"
        dir="auto"
        placeholder={t.search}
        aria-label={t.search}
        title={t.searchKey}
        data-shortcut="search"
        maxLength={textLimits.search.max}
        value={written}
        onChange={({ target }) => onWrite(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') onWrite('');
          if (key === 'Enter') onEnter();
        }}
      />
    </search>
  );
}

/**
 * Loads the next page when the end of the list comes near. It is mounted again after each page, since the end may still be
 * in sight. A browser that is busy reports several moments at once, the latest last.
 */
function More({ onSeen }: { onSeen: () => Promise<void> }) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!end.current) return;
    const observer = new IntersectionObserver((moments) => moments.at(-1)?.isIntersecting && void onSeen(), {
      rootMargin: '400px',
      scrollMargin: '400px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [onSeen]);
  return (
    <div ref={end} className="thread-more">
      {useTexts(texts).more}
    </div>
  );
}

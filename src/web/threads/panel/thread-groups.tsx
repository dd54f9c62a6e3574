/**
 * The rows of the list: the pinned ones, then the others under the days on which something happened last. What a search
 * finds is one group.
 */
import { useMemo } from 'react';
import { useRoute } from 'wouter';
import type { Thread } from '../../api/types.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { useToday } from '../../ui/state/today.js';
import { useArchiving, useThreadList } from '../store/thread-list-context.js';
import { dayGroups } from './day-groups.js';
import { ThreadRow } from './thread-row.js';

const texts = defineTexts('threads/panel/thread-groups', { pinned: 'Pinned' });

export function ThreadGroups() {
  const t = useTexts(texts);
  const { threads, pins, status, q } = useThreadList();
  const today = useToday();
  const groups = useMemo(() => {
    if (q) return [];
    const days = dayGroups(
      threads.filter(({ isPinned }) => !isPinned),
      new Date(today),
    );
    return pins.length === 0 ? days : [{ label: t.pinned, threads: pins }, ...days];
  }, [threads, pins, q, today, t]);
  const isBusy = status === 'loading';
  if (groups.length === 0) return <Rows threads={threads} isBusy={isBusy} />;
  return groups.map((group) => (
    <section key={group.label} aria-label={group.label}>
      <h2 className="thread-day">{group.label}</h2>
      <Rows threads={group.threads} isBusy={isBusy} />
    </section>
  ));
}

function Rows({ threads, isBusy }: { threads: readonly Thread[]; isBusy: boolean }) {
  const { matches, unread, watched } = useThreadList();
  const { chosen } = useArchiving();
  const [, opened] = useRoute('/threads/:id/*?');
  return (
    <ul className="thread-list" aria-busy={isBusy}>
      {threads.map((thread) => (
        <ThreadRow
          key={thread.id}
          thread={thread}
          isOpen={opened?.id === thread.id}
          isUnread={unread.has(thread.id) && thread.id !== watched}
          match={matches.get(thread.id)}
          isChoosing={chosen.size > 0}
          isChosen={chosen.has(thread.id)}
        />
      ))}
    </ul>
  );
}

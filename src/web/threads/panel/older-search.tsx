/**
 * Goes on with a search that has found nothing in a part of the threads, until it finds something. It pauses after some
 * parts, and whenever the user asks it to, so that nobody waits for a search of all threads that they do not need.
 */
import { useEffect, useState } from 'react';
import { defineTexts, useTexts } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { useThreadList, useThreadListStore } from '../store/thread-list-context.js';

const texts = defineTexts('threads/panel/older-search', {
  paused: 'Older threads are not searched yet.',
  searching: 'Searching older threads…',
  goOn: 'Search older threads',
  stop: 'Stop',
});

/** Each takes the service up to a tenth of a second. */
const pagesAtOnce = 20;

export default function OlderSearch() {
  const t = useTexts(texts);
  const store = useThreadListStore();
  const { emptyPages } = useThreadList();
  const [isStopped, setStopped] = useState(false);
  const isPaused = isStopped || emptyPages % pagesAtOnce === 0;
  useEffect(() => {
    if (!isPaused && emptyPages > 0) void store.loadMore();
  }, [store, isPaused, emptyPages]);
  const goOn = () => {
    setStopped(false);
    void store.loadMore();
  };
  return (
    <div className="thread-more">
      <p>{isPaused ? t.paused : t.searching}</p>
      <Button onClick={isPaused ? goOn : () => setStopped(true)}>{isPaused ? t.goOn : t.stop}</Button>
    </div>
  );
}

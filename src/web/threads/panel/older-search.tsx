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
  const { emptyPages, loads } = useThreadList();
  const [isStopped, setStopped] = useState(false);
  const isPaused = isStopped || emptyPages % pagesAtOnce === 0;
  // After each load: one that begins anew while the first older page is on its way leaves as many empty pages as before.
  useEffect(() => {
    if (loads > 0 && !isPaused && emptyPages > 0) void store.loadMore();
  }, [store, isPaused, emptyPages, loads]);
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

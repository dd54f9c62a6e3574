/** The ratings that were loaded so far, of all kinds or of one. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { runQuery } from '../../api/client.js';
import { feedbackQuery } from '../../api/late/feedback-documents.js';
import type { GivenFeedback } from '../../api/types.js';

const pageSize = 50;

export interface FeedbackPages {
  /** Null until the first page is loaded. */
  items: readonly GivenFeedback[] | null;
  problem: string | null;
  hasMore: boolean;
  isLoading: boolean;
  /** Loads the next page, or the first one again after it failed. */
  loadMore: () => void;
}

interface Loaded extends Pick<FeedbackPages, 'items' | 'problem' | 'isLoading'> {
  /** Where the next page begins; null if there is none. */
  next: string | null;
}

const nothing: Loaded = { items: null, problem: null, isLoading: true, next: null };

/** `positive`: only thumbs up (true) or thumbs down (false); null: both. */
export function useFeedback(positive: boolean | null): FeedbackPages {
  const [loaded, setLoaded] = useState(nothing);
  const question = useRef(0);
  const load = useCallback(
    async (after: string | null) => {
      question.current += 1;
      const asked = question.current;
      setLoaded((before) => (after === null ? nothing : { ...before, isLoading: true, problem: null }));
      const outcome = await runQuery(feedbackQuery, { positive, after, first: pageSize });
      // Another kind was chosen meanwhile.
      if (asked !== question.current) return;
      setLoaded((before) => {
        if (!outcome.ok) return { ...before, isLoading: false, problem: outcome.message };
        const { ratings, cursor, hasNextPage } = outcome.value.feedback;
        const items = [...(before.items ?? []), ...ratings];
        return { items, problem: null, isLoading: false, next: hasNextPage ? cursor : null };
      });
    },
    [positive],
  );
  useEffect(() => void load(null), [load]);
  const { next, ...shown } = loaded;
  return { ...shown, hasMore: next !== null, loadMore: () => void load(next) };
}

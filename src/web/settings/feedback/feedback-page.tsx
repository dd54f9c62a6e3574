/** The ratings of the organization, newest first, for administrators. */
import ThumbsDown from 'lucide-react/icons/thumbs-down';
import ThumbsUp from 'lucide-react/icons/thumbs-up';
import { useState } from 'react';
import { Link } from 'wouter';
import type { GivenFeedback, Identity } from '../../api/types.js';
import { Button } from '../../ui/button.js';
import { displayName, threadTitle } from '../../ui/display-name.js';
import { Problem } from '../../ui/field.js';
import { Pills } from '../../ui/pills.js';
import { Timestamp } from '../../ui/timestamp.js';
import { useFeedback } from './use-feedback.js';
import './feedback.css';

const kinds = { all: null, good: true, bad: false } as const;

type Kind = keyof typeof kinds;

const choices: readonly { value: Kind; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'good', label: 'Good' },
  { value: 'bad', label: 'Bad' },
];

export function FeedbackPage({ me }: { me: Identity }) {
  const [kind, setKind] = useState<Kind>('all');
  const { items, problem, hasMore, isLoading, loadMore } = useFeedback(kinds[kind]);
  return (
    <section>
      <h2>Feedback in {me.organizationSlug}</h2>
      <p className="field-hint">How members rated answers. Private threads of others are left out.</p>
      <Pills className="feedback-kinds" legend="Which ratings" items={choices} value={kind} onChoose={setKind} />
      <Problem message={problem} />
      <p role="status" className={isLoading ? 'field-hint' : 'visually-hidden'}>
        {isLoading ? 'Loading…' : `${items?.length ?? 0}${hasMore ? ' or more' : ''} ratings`}
      </p>
      {items?.length === 0 && <p className="feedback-empty">No ratings yet.</p>}
      <ul className="feedback-list">
        {items?.map((item) => (
          <Rating key={`${item.messageId} ${item.userId}`} rating={item} />
        ))}
      </ul>
      {(hasMore || problem !== null) && !isLoading && (
        <div className="settings-actions">
          <Button onClick={loadMore}>{problem === null ? 'Show more' : 'Try again'}</Button>
        </div>
      )}
    </section>
  );
}

function Rating({ rating }: { rating: GivenFeedback }) {
  const { positive, text, userName, threadId, threadTitle: title, messageId, ratedAt } = rating;
  return (
    <li className="feedback-item">
      {positive ? <ThumbsUp className="feedback-good" /> : <ThumbsDown className="feedback-bad" />}
      <div>
        <p className="feedback-facts">
          <span className="visually-hidden">{positive ? 'Good answer, ' : 'Bad answer, '}</span>
          <bdi>{displayName(userName, 'A member without a name')}</bdi> <Timestamp at={ratedAt} />
        </p>
        {text !== null && (
          <p className="feedback-text" dir="auto">
            {text}
          </p>
        )}
        <Link href={`/threads/${threadId}/messages/${messageId}`}>
          <bdi>{threadTitle({ title })}</bdi>
        </Link>
      </div>
    </li>
  );
}

/** The ratings of the organization, newest first, for administrators. */
import ThumbsDown from 'lucide-react/icons/thumbs-down';
import ThumbsUp from 'lucide-react/icons/thumbs-up';
import { useState } from 'react';
import { Link } from 'wouter';
import type { GivenFeedback, Identity } from '../../api/types.js';
import { counted, defineTexts, useTexts, withValues } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { commonTexts } from '../../ui/common-buttons.js';
import { memberName, organizationName, threadTitle } from '../../ui/display-name.js';
import { Pills } from '../../ui/pills.js';
import { Problem } from '../../ui/problem.js';
import { Timestamp } from '../../ui/timestamp.js';
import { useFeedback } from './use-feedback.js';
import './feedback.css';

const texts = defineTexts('settings/feedback/feedback-page', {
  title: withValues('Feedback in {organization}'),
  hint: 'How members rated answers. Private threads of others are left out.',
  which: 'Which ratings',
  all: 'All',
  good: 'Good',
  bad: 'Bad',
  loading: 'Loading…',
  count: counted({ one: '{count} rating', other: '{count} ratings' }),
  countOrMore: counted({ one: '{count} or more ratings', other: '{count} or more ratings' }),
  none: 'No ratings yet.',
  more: 'Show more',
  goodAnswer: 'Good answer, ',
  badAnswer: 'Bad answer, ',
});

const kinds = { all: null, good: true, bad: false } as const;

type Kind = keyof typeof kinds;

const choices: readonly Kind[] = ['all', 'good', 'bad'];

export function FeedbackPage({ me }: { me: Identity }) {
  const t = useTexts(texts);
  const { again } = useTexts(commonTexts);
  const [kind, setKind] = useState<Kind>('all');
  const { items, problem, hasMore, isLoading, loadMore } = useFeedback(kinds[kind]);
  return (
    <section>
      <h2>{t.title({ organization: organizationName(me) })}</h2>
      <p className="field-hint">{t.hint}</p>
      <Pills
        className="feedback-kinds"
        legend={t.which}
        items={choices.map((value) => ({ value, label: t[value] }))}
        value={kind}
        onChoose={setKind}
      />
      <Problem message={problem} />
      <p role="status" className={isLoading ? 'field-hint' : 'visually-hidden'}>
        {isLoading ? t.loading : (hasMore ? t.countOrMore : t.count)(items?.length ?? 0)}
      </p>
      {items?.length === 0 && <p className="feedback-empty">{t.none}</p>}
      <ul className="feedback-list">
        {items?.map((item) => (
          <Rating key={`${item.messageId} ${item.userId}`} rating={item} />
        ))}
      </ul>
      {(hasMore || problem !== null) && !isLoading && (
        <div className="buttons">
          <Button onClick={loadMore}>{problem === null ? t.more : again}</Button>
        </div>
      )}
    </section>
  );
}

function Rating({ rating }: { rating: GivenFeedback }) {
  const t = useTexts(texts);
  const { positive, text, userName, threadId, threadTitle: title, messageId, ratedAt } = rating;
  return (
    <li className="feedback-item">
      {positive ? <ThumbsUp className="feedback-good" /> : <ThumbsDown className="feedback-bad" />}
      <div>
        <p className="feedback-facts">
          <span className="visually-hidden">{positive ? t.goodAnswer : t.badAnswer}</span>
          <bdi>{memberName(userName)}</bdi> <Timestamp at={ratedAt} />
        </p>
        {text !== null && (
          <p className="feedback-text" dir="auto">
            {text}
          </p>
        )}
        <Link href={`/threads/${threadId}/messages/${messageId}`} className="one-line">
          <bdi>{threadTitle({ title })}</bdi>
        </Link>
      </div>
    </li>
  );
}

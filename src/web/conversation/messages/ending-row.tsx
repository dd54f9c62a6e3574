/** The end of a conversation that failed or goes on elsewhere: the reason, and how to continue. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { runMutation } from '../../api/client.js';
import { continueThreadMutation } from '../../api/late/continuation-documents.js';
import { Sentence } from '../../language/sentence.js';
import { defineTexts, useTexts } from '../../language/texts.js';
import { Button } from '../../ui/button.js';
import { RetryButton } from '../../ui/common-buttons.js';
import { Form } from '../../ui/field.js';
import { watchNavigation } from '../../ui/page/navigation-guard.js';
import { Problem } from '../../ui/problem.js';
import { useOnce } from '../../ui/state/use-once.js';
import { useProblem } from '../../ui/state/use-problem.js';
import { TextArea } from '../../ui/text-area.js';
import { tooLong } from '../../ui/too-long.js';
import { useDraft } from '../composer/use-draft.js';
import { focusAtEnd, isOnMessages } from '../conversation-focus.js';
import { askedIn, type ConversationState } from '../store/conversation-state.js';
import { retryOnce } from '../store/send.js';
import { LinkToThread } from './link-to-thread.js';
import { endTexts } from './stopped-note.js';

const texts = defineTexts('conversation/messages/ending-row', {
  over: 'You can still read this thread, but it accepts no more messages.',
  continues: 'This conversation continues in {thread}.',
  offer: 'You can send your message again, in a new thread that continues this one.',
  other: 'Continue in a new thread with another message:',
  yours: 'Your message',
  next: 'Continue in a new thread',
});

export default function EndingRow({ state }: { state: ConversationState }) {
  const t = useTexts(texts);
  const { failed } = useTexts(endTexts);
  const { thread, continuedIn } = state;
  if (!thread) return null;
  const response = askedIn(state)?.response;
  const failure = response && 'message' in response ? response.message : undefined;
  return (
    <div className={`ending ending-${thread.state.toLowerCase()}`}>
      {thread.state === 'ERROR' && (
        <>
          <p>
            <strong>{failed}</strong> {failure && <bdi>{failure}</bdi>} {t.over}
          </p>
          {!continuedIn && <Continue threadId={thread.id} />}
        </>
      )}
      {continuedIn && (
        <p>
          <Sentence text={t.continues} parts={{ thread: <LinkToThread thread={continuedIn} /> }} />
        </p>
      )}
    </div>
  );
}

/** Goes on in a new thread: with the message that failed, or with another one. */
function Continue({ threadId }: { threadId: string }) {
  const t = useTexts(texts);
  const [, navigate] = useLocation();
  // What was written for the failed thread is the beginning of the next one.
  const { text, write, keyOf, settle } = useDraft(threadId);
  const [problem, setProblem] = useProblem();
  const { isRunning, once } = useOnce();
  const excess = tooLong(text, 'message');
  const isReady = text.trim() !== '' && excess === null;
  const field = useRef<HTMLTextAreaElement>(null);
  const isWriting = useRef(text !== '');
  useEffect(() => {
    // Whoever was writing when the composer went away goes on here.
    if (isWriting.current && field.current && isOnMessages()) focusAtEnd(field.current);
  }, []);
  const send = async (words: string | null) => {
    const isStillHere = watchNavigation();
    const input = { threadId, text: words, idempotencyKey: keyOf(words ?? '', []) };
    const outcome = await retryOnce(() => runMutation(continueThreadMutation, { input }));
    if (!outcome.ok) return setProblem(outcome.message);
    settle(words ?? '');
    if (words !== null) write('');
    if (isStillHere()) navigate(`/threads/${outcome.value.threadId}`);
  };
  return (
    <Form className="continue" onSend={() => isReady && once(() => send(text))}>
      <p>{t.offer}</p>
      <RetryButton variant="primary" aria-disabled={isRunning} onClick={() => once(() => send(null))} />
      <label htmlFor="continue-text">{t.other}</label>
      <TextArea
        ref={field}
        id="continue-text"
        className="input"
        rows={2}
        required
        placeholder={t.yours}
        value={text}
        onChange={({ target }) => write(target.value)}
      />
      <Problem message={excess ?? problem} />
      <Button type="submit" aria-disabled={isRunning || !isReady}>
        {t.next}
      </Button>
    </Form>
  );
}

/** The end of a conversation that failed or was stopped: the reason, and how to continue. */
import { type FormEvent, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { runMutation } from '../../api/client.js';
import { newIdempotencyKey } from '../../api/idempotency-key.js';
import { continueThreadMutation } from '../../api/posting-documents.js';
import { resumeMutation } from '../../api/thread-documents.js';
import { Button } from '../../ui/button.js';
import { threadTitle } from '../../ui/display-name.js';
import { Problem } from '../../ui/field.js';
import { watchNavigation } from '../../ui/page/navigation-guard.js';
import { useOnce } from '../../ui/state/use-once.js';
import { useDraft } from '../composer/use-draft.js';
import { focusMessages } from '../conversation-focus.js';
import { askedIn, type ConversationState } from '../store/conversation-state.js';
import type { ConversationStore } from '../store/conversation-store.js';
import { retryOnce } from '../store/send.js';

export function EndingRow({ state, store }: { state: ConversationState; store: ConversationStore }) {
  const { thread, continuedIn } = state;
  if (!thread) return null;
  const response = askedIn(state)?.response;
  const failure = response && 'message' in response ? response.message : undefined;
  return (
    <div className={`ending ending-${thread.state.toLowerCase()}`}>
      {thread.state === 'INTERRUPTED' && <Interrupted state={state} store={store} />}
      {thread.state === 'ERROR' && (
        <>
          <p>
            <strong>The assistant failed.</strong> {failure} You can still read this thread, but it accepts no more
            messages.
          </p>
          {!continuedIn && <Continue threadId={thread.id} />}
        </>
      )}
      {continuedIn && (
        <p>
          This conversation continues in{' '}
          <Link href={`/threads/${continuedIn.id}`}>
            <bdi>{threadTitle(continuedIn)}</bdi>
          </Link>
          .
        </p>
      )}
    </div>
  );
}

function Interrupted({ state: { thread }, store }: { state: ConversationState; store: ConversationStore }) {
  const [problem, setProblem] = useState<string | null>(null);
  if (!thread) return null;
  const resume = async () => {
    focusMessages();
    const outcome = await runMutation(resumeMutation, { id: thread.id });
    if (outcome.ok) store.put(outcome.value);
    setProblem(outcome.ok ? null : outcome.message);
  };
  return (
    <>
      <p>
        <strong>The answer was stopped.</strong> {thread.interruptReason} Send a message to continue, or reopen the
        thread.
      </p>
      <Problem message={problem} />
      <Button onClick={() => void resume()}>Reopen the thread</Button>
    </>
  );
}

function Continue({ threadId }: { threadId: string }) {
  const [, navigate] = useLocation();
  const { text, write, settle } = useDraft(`${threadId}.continued`);
  const [problem, setProblem] = useState<string | null>(null);
  const { isRunning, once } = useOnce();
  const send = async () => {
    const isStillHere = watchNavigation();
    const input = { threadId, text, idempotencyKey: newIdempotencyKey() };
    const outcome = await retryOnce(() => runMutation(continueThreadMutation, { input }));
    if (!outcome.ok) return setProblem(outcome.message);
    settle(text);
    if (isStillHere()) navigate(`/threads/${outcome.value.threadId}`);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) once(send);
  };
  return (
    <form onSubmit={submit} className="continue">
      <label htmlFor="continue-text">Continue in a new thread that starts with a summary of this one:</label>
      <textarea
        id="continue-text"
        className="input"
        rows={2}
        required
        placeholder="Your first message"
        value={text}
        onChange={({ target }) => write(target.value)}
      />
      <Problem message={problem} />
      <Button variant="primary" type="submit" aria-disabled={isRunning || !text.trim()}>
        Continue in a new thread
      </Button>
    </form>
  );
}

/** A conversation: header, messages and composer. */
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { runMutation } from '../api/client.js';
import { stopMutation } from '../api/posting-documents.js';
import type { Choice, Message } from '../api/types.js';
import { defineTexts, useTexts } from '../language/texts.js';
import { useViewer } from '../sign-in/session.js';
import { ReadersLine } from '../threads/readers.js';
import { useListedThread } from '../threads/store/thread-list-context.js';
import { threadTitle } from '../ui/display-name.js';
import { watchNavigation } from '../ui/page/navigation-guard.js';
import { useTitle } from '../ui/page/title.js';
import { late } from '../ui/state/late-component.js';
import { Announcer } from './announcer.js';
import { Composer } from './composer/composer.js';
import { ConversationHead } from './conversation-head.js';
import { takeLeftPlace } from './left-place.js';
import { LoadFailure } from './load-failure.js';
import { preloadMarkdown } from './markdown/rich-text.js';
import { MessageList } from './messages/message-list.js';
import { Presence } from './presence/presence.js';
import { askedIn, isBusy as isBusyWith } from './store/conversation-state.js';
import { useConversation } from './store/kept-conversations.js';
import { type Draft, sendMessage } from './store/send.js';
import { useReadMark } from './store/use-read-mark.js';
import './conversation.css';
import './print.css';

const MissingThread = late(() => import('./missing-thread.js'));

const texts = defineTexts('conversation/conversation-page', {
  thread: 'Thread',
  ownWords: 'Or answer in your own words',
  write: 'Write a message',
});

export function ConversationPage({ threadId, messageId }: { threadId: string; messageId?: string }) {
  const t = useTexts(texts);
  const [left] = useState(takeLeftPlace);
  const { store, state, reopen } = useConversation(threadId, messageId ?? left);
  const [, navigate] = useLocation();
  const viewer = useViewer();
  const { newest, live, status } = state;
  // The list knows the title and the state before the conversation is loaded.
  const listed = useListedThread(threadId);
  const thread = state.thread ?? listed;
  const isBusy = isBusyWith(thread, live);
  useEffect(preloadMarkdown, []);
  useReadMark(threadId, state);
  useTitle(thread ? threadTitle(thread) : t.thread);
  if (status === 'missing') return <MissingThread threadId={threadId} onShared={reopen} />;
  const hasPending = state.pending.length > 0;
  const question = isBusy || hasPending ? undefined : openQuestion(newest.messages);
  const stop = async () => {
    // The event that an answer has started may arrive before the message that it answers.
    if (!live || live.status === 'ENDED') await store.refresh();
    const now = store.getState();
    const asked = now.live?.messageId ?? askedIn(now)?.id;
    if (!asked) return null;
    const outcome = await runMutation(stopMutation, { messageId: asked });
    await store.refresh();
    return outcome.ok ? null : outcome.message;
  };
  const send = async (draft: Draft) => {
    const needsInterrupt = thread?.state === 'INTERRUPTED' || draft.onBusy === 'INTERRUPT';
    const isStillHere = watchNavigation();
    const outcome = await sendMessage(store, { ...draft, onBusy: needsInterrupt ? 'INTERRUPT' : 'REJECT' });
    // A queued message may be sent while another thread is open.
    const isHere = isStillHere() && location.pathname.startsWith(`/threads/${threadId}/`);
    if (outcome.ok && messageId && isHere) navigate(`/threads/${threadId}`, { replace: true });
    // It was accepted when it was sent the first time, perhaps without interrupting.
    return outcome.ok || outcome.code === 'IDEMPOTENCY_KEY_REUSED' ? null : outcome.message;
  };
  return (
    <>
      <ConversationHead thread={thread} onChanged={store.put} />
      <Announcer store={store} messageId={live?.messageId} />
      {status === 'failed' ? (
        <LoadFailure problem={state.problem} store={store} />
      ) : (
        <MessageList state={state} store={store} marked={messageId ?? null} question={question} />
      )}
      <div className="conversation-foot">
        {thread?.state !== 'ERROR' && (
          <Composer
            place={threadId}
            placeholder={question ? t.ownWords : t.write}
            isBusy={isBusy}
            onSend={send}
            onStop={stop}
            onEditLast={() => !hasPending && store.dispatch({ type: 'newestEdited', viewerId: viewer.sub })}
            hasFocus={history.state?.isNew === true}
          />
        )}
        {thread?.state !== 'ERROR' && (
          <div className="foot-line">
            {/* Its place is kept, so that the composer does not move when the thread is known. */}
            {thread ? <ReadersLine isPrivate={thread.isPrivate} /> : <p className="quiet-line readers-line">&nbsp;</p>}
            {thread && <Presence thread={thread} place="foot" />}
          </div>
        )}
      </div>
    </>
  );
}

function openQuestion(messages: readonly Message[]): Choice | undefined {
  const last = messages.at(-1);
  if (last?.role !== 'ASSISTANT') return undefined;
  return last.contents.find((block) => block.__typename === 'UserGetChoiceBlock');
}

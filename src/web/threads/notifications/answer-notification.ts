/** The system's notification of an answer. A press on it leads to the thread. */
import { navigate } from 'wouter/use-browser-location';
import type { Thread } from '../../api/types.js';
import { defineTexts } from '../../language/texts.js';
import { threadTitle } from '../../ui/display-name.js';

const texts = defineTexts('threads/notifications/answer-notification', {
  failed: 'The answer failed.',
  ended: 'The answer has ended.',
});

/** Several hidden tabs show one between them, because a notification replaces those with its tag. */
export function notifyOfAnswer(thread: Thread): void {
  const body = thread.state === 'ERROR' ? texts.get().failed : texts.get().ended;
  const notification = new Notification(threadTitle(thread), { body, tag: thread.id, icon: '/icon-192.png' });
  notification.onclick = () => {
    window.focus();
    navigate(`/threads/${thread.id}`);
    notification.close();
  };
}

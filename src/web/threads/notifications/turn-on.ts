/** Turns the notifications of the system on and off for this browser. */
import { defineTexts } from '../../language/texts.js';
import { notificationsKey } from './notification-choice.js';

const texts = defineTexts('threads/notifications/turn-on', {
  none: 'This browser has no notifications.',
  blocked: 'Your browser blocks notifications of this site. Allow them in its settings for the site, and try again.',
  first: 'You will be told here when an answer has ended.',
  notOfPages: 'This browser shows no notifications of an open page.',
});

export function forgetNotifications(): void {
  localStorage.removeItem(notificationsKey);
}

/**
 * Asks the browser for permission, which it asks the person for once, and shows a first notification. Resolves to what
 * prevents it; null if notifications are on.
 */
export async function turnNotificationsOn(): Promise<string | null> {
  if (!('Notification' in window)) return texts.get().none;
  if ((await Notification.requestPermission()) !== 'granted') {
    return texts.get().blocked;
  }
  try {
    new Notification('Skein', { body: texts.get().first, tag: notificationsKey });
  } catch (error) {
    // Chrome for Android has the constructor, and refuses every call of it.
    if (error instanceof TypeError) return texts.get().notOfPages;
    throw error;
  }
  localStorage.setItem(notificationsKey, 'on');
  return null;
}

/** Turns the notifications of the system on and off for this browser. */
import { notificationsKey } from './notification-choice.js';

export function forgetNotifications(): void {
  localStorage.removeItem(notificationsKey);
}

/**
 * Asks the browser for permission, which it asks the person for once, and shows a first notification. Resolves to what
 * prevents it; null if notifications are on.
 */
export async function turnNotificationsOn(): Promise<string | null> {
  if (!('Notification' in window)) return 'This browser has no notifications.';
  if ((await Notification.requestPermission()) !== 'granted') {
    return 'Your browser blocks notifications of this site. Allow them in its settings for the site, and try again.';
  }
  try {
    new Notification('Skein', { body: 'You will be told here when an answer has ended.', tag: notificationsKey });
  } catch (error) {
    // Chrome for Android has the constructor, and refuses every call of it.
    if (error instanceof TypeError) return 'This browser shows no notifications of an open page.';
    throw error;
  }
  localStorage.setItem(notificationsKey, 'on');
  return null;
}

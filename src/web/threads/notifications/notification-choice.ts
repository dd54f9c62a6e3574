/** Whether the person at this browser wants to be notified by the system. Off until they turn it on. */
export const notificationsKey = 'skein.notifications';

export function wantsNotifications(): boolean {
  return (
    localStorage.getItem(notificationsKey) === 'on' && 'Notification' in window && Notification.permission === 'granted'
  );
}

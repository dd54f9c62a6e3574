/**
 * Where one was reading when the page was left, so that the conversation opens there when the page is loaded again, by an upgrade or
 * by the person. Whoever was at the end stays at the end.
 */
const key = 'skein.place';
let [path, left] = (sessionStorage.getItem(key) ?? '').split(' ');

/** The message in the middle of the page that was left, if that had this address; null at the end. It is asked for once. */
export function takeLeftPlace(): string | null {
  const place = path === location.pathname ? left : '';
  path = '';
  return place || null;
}

addEventListener('pagehide', () => sessionStorage.setItem(key, `${location.pathname} ${messageInSight()}`));

function messageInSight(): string {
  const messages = document.querySelector('.messages:has(.messages-end)')?.getBoundingClientRect();
  if (!messages) return '';
  const { x, y, width, height } = messages;
  return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.message')?.id ?? '';
}

// What cannot wait for the application. One file, because each would delay the first paint.

// A chosen theme never flashes in the other one.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('skein.theme');
  } catch {
    // A browser that refuses storage refuses cookies too, so the application, which needs both, does not start.
    addEventListener('DOMContentLoaded', () => document.getElementById('no-storage').removeAttribute('hidden'));
  }
  if (theme !== 'light' && theme !== 'dark') return;
  document.documentElement.style.colorScheme = theme;
  for (const meta of document.querySelectorAll('meta[data-theme]')) {
    meta.media = meta.dataset.theme === theme ? 'all' : 'not all';
  }
})();

// The page loads again where its first script or style did not load: from a node of another version during an upgrade, or on a
// poor line. Nothing is lost, because nothing was shown yet.
(() => {
  // Pages that an upgrade broke together do not come back together.
  const wait = () => setTimeout(retry, 3000 + Math.random() * 5000);
  const retry = async () => {
    // Without a service, the browser would show an error of its own, and nothing would load the page again.
    const answer = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-cache' }).catch(() => null);
    if (answer?.ok) location.reload();
    else wait();
  };
  const onError = ({ target }) => {
    const isPart = target.tagName === 'SCRIPT' || target.rel === 'stylesheet';
    if (!isPart || !document.querySelector('.splash')) return;
    removeEventListener('error', onError, true);
    wait();
  };
  addEventListener('error', onError, true);
})();

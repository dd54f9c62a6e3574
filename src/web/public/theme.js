// Runs before the first paint, so that a chosen theme never flashes in the other one.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('skein.theme');
  } catch {
    theme = null;
  }
  if (theme !== 'light' && theme !== 'dark') return;
  document.documentElement.style.colorScheme = theme;
  for (const meta of document.querySelectorAll('meta[data-theme]')) {
    meta.media = meta.dataset.theme === theme ? 'all' : 'not all';
  }
})();

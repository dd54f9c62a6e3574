// Runs before the first paint, so that a chosen theme never flashes in the other one.
(() => {
  let theme = null;
  try {
    theme = localStorage.getItem('skein.theme');
  } catch {
    theme = null;
  }
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
})();

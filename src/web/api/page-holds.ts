/**
 * What the page must not be loaded again for by itself: a change that the service has not answered yet, a file on its way
 * here or there, a message in the queue, or a secret that is shown only once.
 */
let holds = 0;

/** Keeps the page as it is until the returned function is called. */
export function holdPage(): () => void {
  holds += 1;
  return () => {
    holds -= 1;
  };
}

/** The same for what would be lost with the page, which the person is asked about before leaving it. */
export function askBeforeLeaving(): () => void {
  const release = holdPage();
  const ask = (event: Event) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => {
    removeEventListener('beforeunload', ask);
    release();
  };
}

export function isPageHeld(): boolean {
  return holds > 0;
}

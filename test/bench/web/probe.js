/**
 * Loaded into every page of the benchmark before anything else. Plain JavaScript, because it runs in the browser. What
 * `painted` waits for is in the page in one frame, and the task that follows the next one finds it painted: it may be late
 * by a frame, and is never early.
 */
globalThis.probe = {
  now: () => performance.now(),

  /** How many frames there were in each of so many seconds from now on. */
  frames: (seconds) =>
    new Promise((resolve) => {
      const counts = Array.from({ length: seconds }, () => 0);
      const startMs = performance.now();
      const count = () => {
        const second = Math.floor((performance.now() - startMs) / 1000);
        if (second >= seconds) return resolve(counts);
        counts[second] += 1;
        requestAnimationFrame(count);
      };
      requestAnimationFrame(count);
    }),

  /** The first new words of this pattern at the beginning of what was said last, and when they were painted. */
  painted: (pattern) =>
    new Promise((resolve) => {
      // Not only while the answer is on its way: a busy machine may show its first words and its end in one frame.
      const find = () =>
        new RegExp(pattern).exec([...document.querySelectorAll('.rich')].at(-1)?.textContent ?? '')?.[0];
      const before = find();
      const look = () => {
        const words = find();
        if (words === undefined || words === before) return;
        observer.disconnect();
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve({ words, atMs: performance.now() });
        requestAnimationFrame(() => channel.port2.postMessage(null));
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    }),
};

/** The share of time that rendering what grows may take. */
const shareOfTime = 1 / 4;

/**
 * Shows what grows faster than anyone can see once per frame at most, and less often when rendering is slow, which keeps
 * scrolling and typing responsive. A hidden page gets no frames: its first frame shows everything.
 */
export function paced(show: () => void): () => void {
  let isDue = false;
  /** The earliest time of the next rendering. */
  let restUntilMs = 0;
  const render = () => {
    isDue = false;
    const startMs = performance.now();
    show();
    // React renders the change in a microtask that runs before this one.
    queueMicrotask(() => {
      restUntilMs = startMs + (performance.now() - startMs) / shareOfTime;
    });
  };
  return () => {
    if (isDue) return;
    isDue = true;
    const restMs = restUntilMs - performance.now();
    if (restMs <= 0) requestAnimationFrame(render);
    else setTimeout(() => requestAnimationFrame(render), restMs);
  };
}

/** For what must not happen twice because somebody presses twice: while it runs, it is not begun again. */
import { useRef, useState } from 'react';

export interface Once {
  /** For `aria-disabled`: a button that is disabled would lose the focus. */
  isRunning: boolean;
  once: (task: () => Promise<unknown>) => void;
}

export function useOnce(): Once {
  const [isRunning, setRunning] = useState(false);
  const running = useRef(false);
  const run = async (task: () => Promise<unknown>) => {
    if (running.current) return;
    running.current = true;
    setRunning(true);
    try {
      await task();
    } finally {
      running.current = false;
      setRunning(false);
    }
  };
  return { isRunning, once: (task) => void run(task) };
}

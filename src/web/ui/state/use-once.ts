/** Ignores a task while it is still running, so that a second press does not start it twice. */
import { useRef, useState } from 'react';

export interface Once {
  /** For `aria-disabled`, because a button with `disabled` loses the focus. */
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

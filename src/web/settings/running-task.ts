/** A task that takes a while, such as an import. It goes on while another page is shown, and ends with the session. */
import { onSessionEnd } from '../api/session-ended.js';
import { Store } from '../ui/state/store.js';

interface TaskState<Progress> {
  isRunning: boolean;
  /** Whether somebody has stopped it and it has not ended yet. */
  isStopping: boolean;
  /** Null before the first run. */
  progress: Progress | null;
  /** Why it has failed. */
  reason: string | null;
}

const noTask = { isRunning: false, isStopping: false, progress: null, reason: null };

export class RunningTask<Progress> extends Store<TaskState<Progress>> {
  #session = new AbortController();

  constructor() {
    super(noTask);
    onSessionEnd(() => {
      this.#session.abort();
      this.#session = new AbortController();
      this.set(noTask);
    });
  }

  /** `work` calls back with how far it is, and hears with false that nobody wants the rest. It returns why it has failed, or null. */
  async run(start: Progress, work: (note: (progress: Progress) => boolean) => Promise<string | null>): Promise<void> {
    if (this.getState().isRunning) return;
    const { signal } = this.#session;
    const put = (change: Partial<TaskState<Progress>>) => {
      if (!signal.aborted) this.set(change);
    };
    put({ ...noTask, isRunning: true, progress: start });
    try {
      const reason = await work((progress) => {
        put({ progress });
        return !signal.aborted && !this.getState().isStopping;
      });
      put({ reason });
    } finally {
      put({ isRunning: false, isStopping: false });
    }
  }

  readonly stop = (): void => this.set({ isStopping: this.getState().isRunning });
}

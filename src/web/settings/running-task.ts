/** The import that runs, or the last one. It goes on while another page is shown, and ends with the session. */
import { holdPage } from '../../api/page-holds.js';
import { onSessionEnd } from '../../api/session-ended.js';
import { Store } from '../../ui/state/store.js';
import { type ImportState, importFiles, nothingImported } from './conversation-import.js';

interface RunningImport {
  isRunning: boolean;
  /** Null before the first import. */
  state: ImportState | null;
  /** Why it has failed. */
  reason: string | null;
}

const noImport: RunningImport = { isRunning: false, state: null, reason: null };

class RunningImportStore extends Store<RunningImport> {
  #sessions = 0;

  constructor() {
    super(noImport);
    onSessionEnd(() => {
      this.#sessions += 1;
      this.set(noImport);
    });
  }

  async run(files: readonly File[]): Promise<void> {
    if (this.getState().isRunning) return;
    const session = this.#sessions;
    const put = (change: Partial<RunningImport>) => {
      if (session === this.#sessions) this.set(change);
      return session === this.#sessions;
    };
    put({ isRunning: true, state: nothingImported, reason: null });
    const release = holdPage();
    try {
      const reason = await importFiles(files, (state) => put({ state }));
      put({ reason });
    } finally {
      release();
      put({ isRunning: false });
    }
  }
}

export const runningImport = new RunningImportStore();

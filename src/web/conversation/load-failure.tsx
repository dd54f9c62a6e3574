/** Shown in place of the messages when the conversation did not load. It loads by itself when the service responds again. */
import { Button } from '../ui/button.js';
import type { ConversationStore } from './store/conversation-store.js';

export function LoadFailure({ problem, store }: { problem: string | null; store: ConversationStore }) {
  return (
    <div className="page-middle conversation-middle" role="alert">
      <h2>The conversation did not load</h2>
      <p>{problem} The conversation appears here as soon as the service responds.</p>
      <Button onClick={() => void store.refresh()}>Try again</Button>
    </div>
  );
}

/** Ends the session in this browser and removes what it has stored. Returns the reason if the service refuses. */
import { announceSessionEnd, whileLeaving } from '../../api/session-ended.js';
import { forgetDrafts } from '../../conversation/composer/use-draft.js';
import { knownSession } from '../../sign-in/session-tabs.js';

export async function leave(request: Promise<string | null>): Promise<string | null> {
  const { sub } = knownSession();
  const refusal = await whileLeaving(request);
  if (refusal === null) {
    if (sub !== null) forgetDrafts(sub);
    announceSessionEnd('here');
  }
  return refusal;
}

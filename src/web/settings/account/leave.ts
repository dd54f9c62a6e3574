/** Ends the session in this browser and removes what it has stored. Returns the reason if the service refuses. */
import { announceSessionEnd } from '../../api/session-ended.js';
import { forgetDrafts } from '../../conversation/composer/use-draft.js';
import { knownSession } from '../../sign-in/session-tabs.js';

export async function leave(request: Promise<string | null>): Promise<string | null> {
  const refusal = await request;
  if (refusal === null) {
    const { sub } = knownSession();
    if (sub !== null) forgetDrafts(sub);
    announceSessionEnd('here');
  }
  return refusal;
}

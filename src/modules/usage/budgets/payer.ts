import type { Viewer } from '../../identity/authenticate.js';
import { isSession } from '../../identity/session.js';
import type { Payer } from './budget.js';

/** Whom the tokens of what the viewer asks for are charged to. */
export function payerOf(viewer: Viewer): Payer {
  const { organizationId, userId, tokenId, hasBudgets } = viewer;
  return { organizationId, userId, tokenId: isSession(viewer) ? null : tokenId, hasBudgets };
}

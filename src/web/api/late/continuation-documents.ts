/** Goes on in a new thread where one has failed. */
import { mutation, posted } from '../mutation.js';

export const continueThreadMutation = mutation(
  'ContinueThread($input: ContinueThreadInput!)',
  'continueThread(input: $input)',
  posted,
);

/** What all mutations that send a message have in common. */
import type { Context } from '../../../builder.js';
import { type CheckedText, checkText } from '../../check-text.js';
import { checkModel } from '../../models/model-choice.js';
import { type KeyedRequest, keyedRequest, once } from './idempotency.js';
import type { PostedMessage } from './posted-message.js';

interface Sending {
  /** The operation, with the object that it is about: the idempotency key counts for these only. */
  operation: string;
  key: string | null | undefined;
  /** The texts of the input, which are checked first. */
  texts?: readonly CheckedText[];
  /** The input but for the model, which a repeated request must have, too. */
  body: object;
  model: string | null | undefined;
}

/**
 * Sends a message once for its idempotency key, and within the rates and budgets of its sender. Rejects with an
 * `InvalidInputError` for invalid texts or an unknown model, and as `once`, `countMessage` and `send` do.
 */
export async function sendOnce(
  { database, slots, viewer, models, source, countMessage }: Context,
  { operation, key = null, texts = [], body, model = null }: Sending,
  send: (request: KeyedRequest) => Promise<PostedMessage>,
): Promise<PostedMessage & { replayed: boolean }> {
  checkText([...texts, { field: 'idempotencyKey', value: key, limit: 'key' }]);
  // Left out without a choice, so that older keys remain valid.
  const chosen = model === null ? {} : { model };
  const request = keyedRequest(viewer, operation, { key, body: { ...body, ...chosen }, span: source.span, slots });
  const checkAndSend = async () => {
    checkModel(models, model);
    return send(request);
  };
  return once(database, request, () => countMessage(checkAndSend));
}

/** The interface of all events of resumable subscriptions. */
import { builder } from '../builder.js';

export const Positioned = builder.interfaceRef<{ cursor: string }>('Positioned').implement({
  description:
    'An event with a cursor. To resume a subscription, pass the cursor of the last event received as `after`.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', {
      description: 'Position after this event, to resume the same subscription with `after`.',
    }),
  }),
});

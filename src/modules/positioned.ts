/** What the events of every subscription that can be taken up again have in common, so that a client asks for it once. */
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

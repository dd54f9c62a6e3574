/** What the events of every subscription that can be taken up again have in common, so that a client asks for it once. */
import { builder } from '../builder.js';

export const Positioned = builder.interfaceRef<{ cursor: string }>('Positioned').implement({
  description: 'An event with its position: keep the cursor of the last one that you have, and come back with it.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', {
      description: 'Position after this event, for `after` of the same subscription.',
    }),
  }),
});

/**
 * Relay's `Node`: what can be loaded anew by its id alone. The prefix of an id says which type it is of, so ids here are
 * those of REST, and nothing is encoded.
 */
import { builder } from '../builder.js';
import { type IdPrefix, prefixOf } from '../ids.js';

const typeNames: Partial<Record<IdPrefix, string>> = { thr: 'Thread', msg: 'Message', tok: 'AccessToken' };

export const Node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'An object that can be fetched by its id with `node`.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'Id, unique in the service and the same as in REST.' }) }),
  resolveType: ({ id }) => {
    const prefix = prefixOf(id);
    return prefix ? typeNames[prefix] : undefined;
  },
});

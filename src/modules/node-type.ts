/**
 * Relay's `Node`: objects that can be loaded by id. The prefix of an id names the type, so ids are those of REST and
 * need no encoding.
 */
import { builder } from '../builder.js';
import { type IdPrefix, prefixOf } from '../ids.js';

const typeNames: Partial<Record<IdPrefix, string>> = {
  thr: 'Thread',
  msg: 'Message',
  tok: 'AccessToken',
  aud: 'AuditEvent',
};

export const Node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'An object that can be fetched by its id with `node`.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'Id, unique in the service and the same as in REST.' }) }),
  resolveType: ({ id }) => {
    const prefix = prefixOf(id);
    return prefix ? typeNames[prefix] : undefined;
  },
});

/**
 * `node` loads any object by its id. The id names the type, so one statement loads it, with the scope and visibility of
 * that type's own field.
 */
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import { builder, type Context } from '../../builder.js';
import type { Scope } from '../../contract.js';
import { type IdPrefix, prefixOf } from '../../ids.js';
import { findAuditEvent } from '../identity/audit/audit-log.js';
import { isAdministrator } from '../identity/members/members.js';
import { Node } from '../node-type.js';
import { visibleTo } from '../threads/visibility.js';

interface NodeKind {
  scope: Scope;
  /** Loads the object with the selected fields; null if the viewer may not see it. */
  find: (id: string, context: Context, info: GraphQLResolveInfo) => Promise<{ id: string } | null>;
}

const kinds: Partial<Record<IdPrefix, NodeKind>> = {
  thr: {
    scope: 'threads:read',
    find: (id, context, info) => {
      const { select } = queryFromInfo({ context, info, typeName: 'Thread', select: { id: true } });
      return context.database.thread.findFirst({ select, where: { id, AND: [visibleTo(context.viewer)] } });
    },
  },
  msg: {
    scope: 'threads:read',
    find: (id, context, info) => {
      const { select } = queryFromInfo({ context, info, typeName: 'Message', select: { id: true } });
      return context.database.message.findFirst({
        select,
        where: { id, hiddenWithId: null, thread: visibleTo(context.viewer) },
      });
    },
  },
  tok: {
    scope: 'me:read',
    find: (id, context, info) => {
      const { select } = queryFromInfo({ context, info, typeName: 'AccessToken', select: { id: true } });
      return context.database.accessToken.findFirst({ select, where: { id, userId: context.viewer.userId } });
    },
  },
  aud: {
    scope: 'me:read',
    find: async (id, { database, viewer }) => {
      const { organizationId } = viewer;
      return isAdministrator(viewer) ? findAuditEvent(database, { organizationId, id }) : null;
    },
  },
};

function kindOf(id: string): NodeKind | undefined {
  const prefix = prefixOf(id);
  return prefix ? kinds[prefix] : undefined;
}

builder.queryField('node', (t) =>
  t.field({
    type: Node,
    nullable: true,
    description:
      'An object by its id: a thread, a message, one of your access tokens, or, for an administrator, an entry of the audit log. Null if it does not exist or you may not see it. Requires the scope `threads:read`, or `me:read` for an access token and the audit log.',
    // An unknown id needs no scope, since it reveals nothing.
    authScopes: (_root, { id }) => {
      const kind = kindOf(id);
      return kind ? { scope: kind.scope } : true;
    },
    args: { id: t.arg.id({ required: true, description: 'Id of the object.' }) },
    resolve: (_root, { id }, context, info) => kindOf(id)?.find(id, context, info) ?? null,
  }),
);

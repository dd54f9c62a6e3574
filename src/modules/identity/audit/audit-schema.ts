/** The audit log of the viewer's organization in the GraphQL schema. */
import type { AuditEvent } from '../../../../prisma/generated/client/client.js';
import { builder } from '../../../builder.js';
import { clampedPageSize, defaultPageSize } from '../../../contract.js';
import { Node } from '../../node-type.js';
import { appliedLimit, toConnection } from '../../paging.js';
import { requireAdministrator } from '../members/members.js';
import { auditRetentionDays, decodeAuditCursor, encodeAuditCursor, readAuditLog } from './audit-log.js';

const ActorKindType = builder.enumType('AuditActorKind', {
  description: 'Who acted.',
  values: {
    USER: { value: 'user', description: 'A user: `actorId` is their id.' },
    COMMAND_LINE: { value: 'command_line', description: 'The operator, on the command line.' },
    SERVICE: { value: 'service', description: 'The service itself, as at its first start.' },
  },
});

const ActType = builder.enumType('AuditAct', {
  description: 'What was done.',
  values: {
    SIGNED_IN: { value: 'signed_in', description: 'The subject signed in; the target is the session.' },
    SIGNED_OUT: { value: 'signed_out', description: 'A session of the subject was ended; it is the target.' },
    PASSWORD_CHANGED: { value: 'password_changed', description: 'A password of the subject was set or changed.' },
    TOKEN_CREATED: { value: 'token_created', description: 'An access token of the subject was created.' },
    TOKEN_REVOKED: { value: 'token_revoked', description: 'An access token of the subject was revoked.' },
    SIGN_IN_LINK_CREATED: { value: 'sign_in_link_created', description: 'A sign-in link for the subject was created.' },
    MEMBER_ADDED: { value: 'member_added', description: 'The subject became a member.' },
    MEMBER_REMOVED: { value: 'member_removed', description: 'The subject was removed.' },
    MEMBER_DELETED: { value: 'member_deleted', description: 'The subject was deleted with everything of theirs.' },
    THREAD_DELETED: { value: 'thread_deleted', description: 'A thread of the subject was deleted; it is the target.' },
    DATA_EXPORTED: { value: 'data_exported', description: 'An export of the data of the subject was begun.' },
    BUDGET_SET: { value: 'budget_set', description: 'A budget of the subject was set; the target is what it says.' },
    BUDGET_REMOVED: { value: 'budget_removed', description: 'A budget of the subject was removed.' },
    ROLE_CHANGED: { value: 'role_changed', description: 'The subject got another role, which is the target.' },
  },
});

const AuditEventType = builder.objectRef<AuditEvent>('AuditEvent').implement({
  description: 'An entry of the audit log of your organization.',
  interfaces: [Node],
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the entry.' }),
    at: t.expose('at', { type: 'DateTime', description: 'When it was done.' }),
    act: t.field({ type: ActType, description: 'What was done.', resolve: ({ act }) => act as 'signed_in' }),
    actorKind: t.field({
      type: ActorKindType,
      description: 'Who acted.',
      resolve: ({ actorKind }) => actorKind as 'user',
    }),
    actorId: t.exposeID('actorId', { nullable: true, description: 'Id of the user who acted; null for others.' }),
    subjectId: t.exposeID('subjectId', {
      description: 'Id of the user whom it concerns; the number of the organization for a budget that concerns all.',
    }),
    targetId: t.exposeID('targetId', {
      nullable: true,
      description:
        'Id of the access token, session or thread, the new role, or whose budget it is and what it says, as `organization: 1000000 tokens a month`.',
    }),
  }),
});

const AuditEventConnection = builder.connectionObject(
  { type: AuditEventType, name: 'AuditEventConnection', description: 'A page of the audit log.' },
  { name: 'AuditEventEdge', description: 'An entry of the audit log with its cursor.' },
);

builder.queryField('auditEvents', (t) =>
  t.field({
    type: AuditEventConnection,
    description: `The audit log of your organization, newest first: who signed in, changed a password, created or revoked tokens, invited, removed or deleted members, exported data, deleted threads, or set budgets. Entries are kept for ${auditRetentionDays} days. Requires an administrator.`,
    authScopes: { scope: 'me:read' },
    args: {
      first: t.arg.int({ description: `Maximum number of items. Default: ${defaultPageSize}. ${clampedPageSize}` }),
      after: t.arg.string({ description: 'Return only entries after this cursor, which are older.' }),
    },
    resolve: async (_root, { first, after: cursor }, { database, viewer }) => {
      requireAdministrator(viewer);
      const limit = appliedLimit(first);
      const after = cursor == null ? null : decodeAuditCursor(cursor);
      const events = await readAuditLog(database, { organizationId: viewer.organizationId, after, limit: limit + 1 });
      const edges = events.slice(0, limit).map((node) => ({ node, cursor: encodeAuditCursor(node) }));
      return toConnection({ edges, hasNextPage: events.length > limit, hasPreviousPage: after !== null });
    },
  }),
);

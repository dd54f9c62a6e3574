/** Browser sessions of the viewer in the GraphQL schema, without their secrets. */
import { builder } from '../../builder.js';
import { NotFoundError } from '../../errors.js';
import {
  endOwnSession,
  listOwnSessions,
  maximumSessions,
  type OwnSession,
  userAgentLength,
} from './manage-sessions.js';

const SessionType = builder.objectRef<OwnSession>('Session').implement({
  description: 'A session: a browser in which you are signed in.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the session, to end it. It is not a credential.' }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: `The \`User-Agent\` header of the browser at sign-in, at most ${userAgentLength} characters; null if it sent none.`,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When you signed in.' }),
    lastUsedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When the session was last used, accurate to ten minutes.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When the session expires unless it is used.' }),
    isCurrent: t.boolean({
      description: 'Whether this is the session of the request.',
      resolve: ({ id }, _args, { viewer }) => id === viewer.tokenId,
    }),
  }),
});

builder.queryField('sessions', (t) =>
  t.field({
    type: [SessionType],
    description: `Your sessions in the web application, at most ${maximumSessions}, the last used first. Empty for an access token.`,
    extensions: { maximumItems: maximumSessions },
    authScopes: { scope: 'me:read' },
    resolve: (_root, _args, { database, viewer }) => listOwnSessions(database, viewer),
  }),
);

builder.mutationField('endSession', (t) =>
  t.field({
    type: SessionType,
    description:
      'Signs you out in one browser. Its next request is rejected and its streams end within two seconds. Not available with an access token.',
    authScopes: { scope: 'me:read' },
    errors: { types: [NotFoundError] },
    args: { id: t.arg.id({ required: true, description: 'Id of the session.' }) },
    resolve: (_root, { id }, { database, viewer }) => endOwnSession(database, viewer, id),
  }),
);

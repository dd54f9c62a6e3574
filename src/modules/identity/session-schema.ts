/** Where the viewer is signed in with a browser, in the graph. No secret of a session is ever part of it. */
import { builder } from '../../builder.js';
import { NotFoundError } from '../../errors.js';
import { endOwnSession, listOwnSessions, maximumSessions, type OwnSession } from './manage-sessions.js';

const SessionType = builder.objectRef<OwnSession>('Session').implement({
  description: 'A browser in which you are signed in.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the session, for ending it. It signs nobody in.' }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description:
        'What the browser called itself when you signed in, at most 500 characters; null where it said nothing.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When you signed in.' }),
    lastUsedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When it last asked for something, to within ten minutes.',
    }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends by itself, if it is not used.' }),
    isCurrent: t.boolean({
      description: 'True for the one in which you ask.',
      resolve: ({ id }, _args, { viewer }) => id === viewer.tokenId,
    }),
  }),
});

builder.queryField('sessions', (t) =>
  t.field({
    type: [SessionType],
    description: `Where you are signed in to the web application, what was used last first; at most ${maximumSessions}. Empty for an access token.`,
    extensions: { maximumItems: maximumSessions },
    authScopes: { scope: 'me:read' },
    resolve: (_root, _args, { database, viewer }) => listOwnSessions(database, viewer),
  }),
);

builder.mutationField('endSession', (t) =>
  t.field({
    type: SessionType,
    description:
      'Signs you out in one browser: its next request is refused, and what it follows ends within two seconds. No access token can do it.',
    authScopes: { scope: 'me:read' },
    errors: { types: [NotFoundError] },
    args: { id: t.arg.id({ required: true, description: 'Id of the session.' }) },
    resolve: (_root, { id }, { database, viewer }) => endOwnSession(database, viewer, id),
  }),
);

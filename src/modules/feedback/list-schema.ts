/** The ratings of an organization in the GraphQL schema, for its administrators. */
import { builder } from '../../builder.js';
import { clampedPageSize, defaultPageSize } from '../../contract.js';
import { requireAdministrator } from '../identity/members/members.js';
import { messageUrl } from '../links.js';
import { appliedLimit } from '../paging.js';
import { decodeFeedbackCursor, encodeFeedbackCursor, type GivenFeedback, readFeedback } from './list-feedback.js';

const GivenFeedbackType = builder.objectRef<GivenFeedback>('GivenFeedback').implement({
  description: 'A rating that a member of your organization gave.',
  fields: (t) => ({
    messageId: t.exposeID('messageId', { description: 'Id of the rated message.' }),
    threadId: t.exposeID('threadId', { description: 'Id of its thread.' }),
    threadTitle: t.exposeString('threadTitle', { nullable: true, description: 'Title of its thread.' }),
    userId: t.exposeID('userId', { description: 'Id of the member.' }),
    userName: t.exposeString('userName', { nullable: true, description: 'Name of the member.' }),
    positive: t.exposeBoolean('positive', {
      description: 'Whether the rating is thumbs up (true) or thumbs down (false).',
    }),
    text: t.exposeString('text', { nullable: true, description: 'The comment on the rating.' }),
    ratedAt: t.expose('ratedAt', { type: 'DateTime', description: 'When the rating was given or last changed.' }),
    appUrl: t.string({
      description: 'URL of the rated message in the web application.',
      resolve: ({ messageId: id, threadId }, _args, context) => messageUrl(context.publicUrl, { id, threadId }),
    }),
  }),
});

interface FeedbackPage {
  ratings: GivenFeedback[];
  cursor: string | null;
  hasNextPage: boolean;
}

/** Not a connection: a rating is found by its message and is no node. */
const FeedbackPageType = builder.objectRef<FeedbackPage>('FeedbackPage').implement({
  description: 'A page of ratings.',
  fields: (t) => ({
    ratings: t.expose('ratings', { type: [GivenFeedbackType], description: 'The ratings of the page.' }),
    cursor: t.exposeString('cursor', {
      nullable: true,
      description: 'Cursor of the last rating, for `after`; null if the page is empty.',
    }),
    hasNextPage: t.exposeBoolean('hasNextPage', { description: 'Whether older ratings follow.' }),
  }),
});

builder.queryField('feedback', (t) =>
  t.field({
    type: FeedbackPageType,
    description:
      'The ratings that members of your organization gave, newest first, except in private threads of others. Requires an administrator.',
    authScopes: { scope: 'me:read' },
    args: {
      first: t.arg.int({ description: `Maximum number of items. Default: ${defaultPageSize}. ${clampedPageSize}` }),
      after: t.arg.string({ description: 'Return only ratings after this cursor, which are older.' }),
      positive: t.arg.boolean({ description: 'Only thumbs up (true) or thumbs down (false). Default: both.' }),
    },
    resolve: async (_root, { first, after: cursor, positive = null }, { database, viewer }) => {
      requireAdministrator(viewer);
      const limit = appliedLimit(first);
      const after = cursor == null ? null : decodeFeedbackCursor(cursor);
      const found = await readFeedback(database, { viewer, positive, after, limit: limit + 1 });
      const ratings = found.slice(0, limit);
      const last = ratings.at(-1);
      return { ratings, cursor: last ? encodeFeedbackCursor(last) : null, hasNextPage: found.length > limit };
    },
  }),
);

/** Usage of the viewer's organization in the GraphQL schema. */

import type { User } from '../../../prisma/generated/client/client.js';
import { builder } from '../../builder.js';
import { InvalidInputError } from '../../errors.js';
import { MemberType } from '../identity/members/member-schema.js';
import { requireAdministrator, withMembers } from '../identity/members/members.js';
import { maximumUsageDays, readUsage, type UsageGroup, type UsageSum } from './read-usage.js';
import { dayOf, isDay, monthUntil, problemOfSpan } from './usage-days.js';

const maximumSums = 1000;

const UsageGroupType = builder.enumType('UsageGroup', {
  description: 'What usage is added up by.',
  values: {
    DAY: { value: 'day', description: 'By day in UTC, the newest first.' },
    USER: { value: 'user', description: 'By who asked for the responses, the most tokens first.' },
    MODEL: { value: 'model', description: 'By model, the most tokens first.' },
  } as const,
});

const UsageSumType = builder.objectRef<UsageSum & { member: User | null }>('UsageSum').implement({
  description:
    'What responses took together, with the summaries and names that the model made for their threads. Of `day`, `userId` and `model` only the one that they are grouped by is set.',
  fields: (t) => ({
    day: t.exposeString('day', { nullable: true, description: 'Day in UTC: `2026-11-23`.' }),
    userId: t.exposeID('userId', {
      nullable: true,
      description: 'Id of who asked for them, who may have been deleted since.',
    }),
    member: t.expose('member', {
      type: MemberType,
      nullable: true,
      description: 'Who asked for them; null if they are no longer a member.',
    }),
    model: t.exposeString('model', { nullable: true, description: 'Model that generated the responses.' }),
    responses: t.exposeFloat('responses', { description: 'How many responses ended, a whole number.' }),
    inputTokens: t.exposeFloat('inputTokens', { description: 'Tokens that the model was given, a whole number.' }),
    outputTokens: t.exposeFloat('outputTokens', { description: 'Tokens that the model generated, a whole number.' }),
    cost: t.exposeFloat('cost', {
      nullable: true,
      description: 'What they cost by the price list of the operator, in its currency; null without a price.',
    }),
    isCostComplete: t.exposeBoolean('isCostComplete', {
      description: 'Whether the price list has each model among them; otherwise `cost` leaves the others out.',
    }),
  }),
});

builder.queryField('usage', (t) =>
  t.field({
    type: [UsageSumType],
    description: `Tokens that the threads of your organization took, also in threads that were deleted since; at most ${maximumSums} sums of at most ${maximumUsageDays} days. Requires an administrator.`,
    extensions: { maximumItems: maximumSums },
    authScopes: { scope: 'me:read' },
    args: {
      from: t.arg.string({ description: 'First day in UTC, as `2026-11-01`. Default: 29 days before `to`.' }),
      to: t.arg.string({ description: 'Last day in UTC, as `2026-11-30`. Default: today.' }),
      groupBy: t.arg({ type: UsageGroupType, description: 'What is added up together. Default: `DAY`.' }),
    },
    resolve: async (_root, { from, to, groupBy }, { database, prices, viewer }) => {
      requireAdministrator(viewer);
      const span = spanOf({ from, to });
      const group: UsageGroup = groupBy ?? 'day';
      const { organizationId } = viewer;
      const asked = { organizationId, ...span, groupBy: group, limit: maximumSums };
      return withMembers(database, organizationId, await readUsage(database, prices, asked));
    },
  }),
);

function spanOf(given: { from?: string | null | undefined; to?: string | null | undefined }): {
  from: string;
  to: string;
} {
  for (const field of ['from', 'to'] as const) {
    const day = given[field];
    if (day != null && !isDay(day))
      throw new InvalidInputError([{ field, message: 'must be a day such as 2026-11-23' }]);
  }
  const to = given.to ?? dayOf(new Date());
  const from = given.from ?? monthUntil(to);
  const problem = problemOfSpan(from, to);
  if (problem) throw new InvalidInputError([{ field: 'from', message: problem }]);
  return { from, to };
}

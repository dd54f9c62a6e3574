/** Budgets of the viewer's organization in the GraphQL schema, and the error of one that is used up. */
import type { User } from '../../../../prisma/generated/client/client.js';
import { builder, ErrorInterface } from '../../../builder.js';
import { BudgetExceededError, InvalidInputError, NotAdministratorError, NotFoundError } from '../../../errors.js';
import { actingAs } from '../../identity/audit/acting-as.js';
import { MemberType } from '../../identity/members/member-schema.js';
import { requireAdministrator, withMembers } from '../../identity/members/members.js';
import { maximumBudgets, removeBudget, setBudget } from './manage-budgets.js';
import { type Budget, listBudgets, type SpentOptions } from './spent.js';

const BudgetScopeType = builder.enumType('BudgetScope', {
  description: 'Whose usage a budget limits.',
  values: {
    ORGANIZATION: { value: 'organization', description: 'That of all members together.' },
    USER: { value: 'user', description: 'That of a user, by whom they are asked for: with a browser or any token.' },
    TOKEN: { value: 'token', description: 'What is asked for with an access token, or with tokens made with it.' },
  } as const,
});

const BudgetPeriodType = builder.enumType('BudgetPeriod', {
  description: 'How often a budget renews.',
  values: {
    DAY: { value: 'day', description: 'Each day, at midnight in UTC.' },
    MONTH: { value: 'month', description: 'With the first day of each month, at midnight in UTC.' },
  } as const,
});

const BudgetUnitType = builder.enumType('BudgetUnit', {
  description: 'What a budget counts.',
  values: {
    TOKENS: { value: 'tokens', description: 'Tokens that the model was given and that it generated, together.' },
    COST: {
      value: 'cost',
      description: 'What they cost by the price list of the operator. A model without a price costs nothing.',
    },
  } as const,
});

builder.objectType(BudgetExceededError, {
  name: 'BudgetExceededError',
  description: 'A budget of yours or of your organization is used up. Nothing was changed.',
  interfaces: [ErrorInterface],
  fields: (t) => ({
    scope: t.field({
      type: BudgetScopeType,
      description: 'Whose usage it limits.',
      resolve: ({ budget }) => budget.scope,
    }),
    period: t.field({
      type: BudgetPeriodType,
      description: 'How often it renews.',
      resolve: ({ budget }) => budget.period,
    }),
    unit: t.field({ type: BudgetUnitType, description: 'What it counts.', resolve: ({ budget }) => budget.unit }),
    maximum: t.float({
      description: 'How much may be taken until it renews.',
      resolve: ({ budget }) => budget.maximum,
    }),
    renewsAt: t.field({
      type: 'DateTime',
      description: 'When it renews, so that the same request succeeds.',
      resolve: ({ renewsAt }) => renewsAt,
    }),
  }),
});

const BudgetType = builder.objectRef<Budget & { member: User | null }>('Budget').implement({
  description: 'A budget of your organization.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the budget.' }),
    scope: t.expose('scope', { type: BudgetScopeType, description: 'Whose usage it limits.' }),
    period: t.expose('period', { type: BudgetPeriodType, description: 'How often it renews.' }),
    unit: t.expose('unit', { type: BudgetUnitType, description: 'What it counts.' }),
    maximum: t.exposeFloat('maximum', { description: 'How much may be taken until it renews.' }),
    userId: t.exposeID('userId', {
      nullable: true,
      description: 'The one user that it is of; null for other scopes, and for the budget of each user.',
    }),
    member: t.expose('member', {
      type: MemberType,
      nullable: true,
      description: 'The one user that it is of; null where `userId` is, and if they are no longer a member.',
    }),
    tokenId: t.exposeID('tokenId', {
      nullable: true,
      description: 'The one access token that it is of; null for other scopes, and for the budget of each token.',
    }),
    spent: t.exposeFloat('spent', {
      nullable: true,
      description: 'What was taken since it last renewed; null for a budget of each user or token.',
    }),
    renewsAt: t.expose('renewsAt', { type: 'DateTime', description: 'When it renews next.' }),
  }),
});

builder.queryField('budgets', (t) =>
  t.field({
    type: [BudgetType],
    description: `The budgets of your organization, the oldest first, at most ${maximumBudgets}. Requires an administrator.`,
    extensions: { maximumItems: maximumBudgets },
    authScopes: { scope: 'me:read' },
    resolve: (_root, _args, { database, prices, viewer }) => {
      requireAdministrator(viewer);
      const options = { database, prices, now: new Date() };
      return budgetsOf(options, viewer.organizationId);
    },
  }),
);

const SetBudgetInput = builder.inputType('SetBudgetInput', {
  description: 'A budget.',
  fields: (t) => ({
    scope: t.field({ type: BudgetScopeType, required: true, description: 'Whose usage it limits.' }),
    userId: t.id({
      description: 'Id of the user, for the scope `USER`. Default: each user who has no budget of their own.',
    }),
    tokenId: t.id({
      description: 'Id of the access token, for the scope `TOKEN`. Default: each token that has no budget of its own.',
    }),
    period: t.field({ type: BudgetPeriodType, required: true, description: 'How often it renews.' }),
    unit: t.field({ type: BudgetUnitType, required: true, description: 'What it counts.' }),
    maximum: t.float({
      required: true,
      description: 'How much may be taken until it renews: a whole number of tokens, or a cost. With 0, nothing.',
    }),
  }),
});

builder.mutationField('setBudget', (t) =>
  t.field({
    type: BudgetType,
    description:
      'Sets a budget of your organization, in place of the one of the same subject, period and unit. Takes effect within a second; what is generated then goes on. Requires an administrator.',
    authScopes: { scope: 'me:read' },
    errors: { types: [InvalidInputError, NotFoundError, NotAdministratorError] },
    args: { input: t.arg({ type: SetBudgetInput, required: true, description: 'The budget.' }) },
    resolve: async (_root, { input }, { database, prices, viewer, viewers }) => {
      requireAdministrator(viewer);
      const { organizationId } = viewer;
      const budget = { ...input, userId: input.userId ?? null, tokenId: input.tokenId ?? null };
      const id = await actingAs(database, viewer, (transaction) =>
        setBudget({ database: transaction, prices }, organizationId, budget),
      );
      viewers.forgetOrganization(organizationId);
      return findBudget({ database, prices, now: new Date() }, { organizationId, id });
    },
  }),
);

builder.mutationField('removeBudget', (t) =>
  t.field({
    type: BudgetType,
    description:
      'Removes a budget of your organization, with immediate effect. Returns what it was. Requires an administrator.',
    authScopes: { scope: 'me:read' },
    errors: { types: [NotFoundError, NotAdministratorError] },
    args: { id: t.arg.id({ required: true, description: 'Id of the budget.' }) },
    resolve: async (_root, { id }, { database, prices, viewer }) => {
      requireAdministrator(viewer);
      const { organizationId } = viewer;
      const budget = await findBudget({ database, prices, now: new Date() }, { organizationId, id });
      await actingAs(database, viewer, (transaction) => removeBudget(transaction, { id, organizationId }));
      return budget;
    },
  }),
);

async function budgetsOf(options: SpentOptions, organizationId: number) {
  const budgets = await listBudgets(options, { organizationId, limit: maximumBudgets });
  return withMembers(options.database, organizationId, budgets);
}

async function findBudget(options: SpentOptions, { organizationId, id }: { organizationId: number; id: string }) {
  const budgets = await budgetsOf(options, organizationId);
  const budget = budgets.find((one) => one.id === id);
  if (!budget) throw new NotFoundError('budget');
  return budget;
}

/** Sets and removes the budgets of an organization. Triggers of the database record both in the audit log. */
import type { PrismaClient } from '../../../../prisma/generated/client/client.js';
import { type BudgetTerms, highestBudget } from '../../../contract.js';
import { type InputProblem, InvalidInputError, NotFoundError } from '../../../errors.js';
import { createId, isId } from '../../../ids.js';
import type { Prices } from '../prices.js';

/** Maximum number of budgets of an organization, which a list shows completely. */
export const maximumBudgets = 200;

export interface NewBudget extends BudgetTerms {
  /** Of both, the one user or token that it is of; null for a budget of the organization, of each user or of each token. */
  userId: string | null;
  tokenId: string | null;
}

/**
 * Sets a budget, in place of the one of the same subject, period and unit. Throws an `InvalidInputError` for terms that cannot
 * hold, and a `NotFoundError` if the organization has no such user or token.
 */
export async function setBudget(
  { database, prices }: { database: PrismaClient; prices: Prices },
  organizationId: number,
  budget: NewBudget,
): Promise<string> {
  const problems = problemsOf(budget, prices);
  if (problems.length > 0) throw new InvalidInputError(problems);
  await checkSubject(database, organizationId, budget);
  const { scope, userId, tokenId, period, unit, maximum } = budget;
  const [set] = await database.$queryRaw<{ id: string }[]>`
    INSERT INTO budget (id, organization_id, scope, user_id, token_id, period, unit, maximum)
    SELECT ${createId('bud')}, ${organizationId}, ${scope}, ${userId}, ${tokenId}, ${period}, ${unit}, ${maximum}::float8
    WHERE (SELECT count(*) FROM budget WHERE organization_id = ${organizationId}) < ${maximumBudgets}
      OR EXISTS (SELECT FROM budget WHERE organization_id = ${organizationId} AND scope = ${scope} AND period = ${period} AND unit = ${unit}
        AND user_id IS NOT DISTINCT FROM ${userId}::text AND token_id IS NOT DISTINCT FROM ${tokenId}::text)
    ON CONFLICT (organization_id, scope, user_id, token_id, period, unit) DO UPDATE SET maximum = excluded.maximum
    RETURNING id`;
  if (!set)
    throw new InvalidInputError([
      { field: 'scope', message: `the organization has ${maximumBudgets} budgets, which is the maximum; remove one` },
    ]);
  return set.id;
}

/** Throws a `NotFoundError` if the organization has no such budget; without an organization, any has it. */
export async function removeBudget(
  database: PrismaClient,
  { id, organizationId }: { id: string; organizationId?: number },
): Promise<void> {
  const where = { id, ...(organizationId === undefined ? {} : { organizationId }) };
  const { count } = await database.budget.deleteMany({ where });
  if (count === 0) throw new NotFoundError('budget');
}

function problemsOf({ scope, userId, tokenId, unit, maximum }: NewBudget, prices: Prices): InputProblem[] {
  const problems: InputProblem[] = [];
  if (userId !== null && scope !== 'user') problems.push({ field: 'userId', message: 'is for a budget of a user' });
  if (tokenId !== null && scope !== 'token') problems.push({ field: 'tokenId', message: 'is for a budget of a token' });
  if (unit === 'tokens' && !(Number.isInteger(maximum) && maximum >= 0 && maximum <= highestBudget.tokens))
    problems.push({ field: 'maximum', message: `must be a whole number from 0 to ${highestBudget.tokens}` });
  if (unit === 'cost' && !(maximum >= 0 && maximum <= highestBudget.cost))
    problems.push({ field: 'maximum', message: `must be a number from 0 to ${highestBudget.cost}` });
  if (unit === 'cost' && prices.size === 0)
    problems.push({ field: 'unit', message: 'needs the prices of the models, which the operator states as AI_PRICES' });
  return problems;
}

async function checkSubject(
  database: PrismaClient,
  organizationId: number,
  { userId, tokenId }: NewBudget,
): Promise<void> {
  if (userId !== null) {
    const user = isId('usr', userId) && (await database.user.findFirst({ where: { id: userId, organizationId } }));
    if (!user) throw new NotFoundError('user');
  }
  if (tokenId === null) return;
  const where = { id: tokenId, user: { organizationId } };
  const token = isId('tok', tokenId) ? await database.accessToken.findFirst({ where }) : null;
  if (!token) throw new NotFoundError('access token');
  if (token.parentId === null) return;
  const message = `was made with the token ${token.parentId}, whose budget it shares; set the budget of that one`;
  throw new InvalidInputError([{ field: 'tokenId', message }]);
}

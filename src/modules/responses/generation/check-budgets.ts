import type { Logger } from 'pino';
import { BudgetExceededError } from '../../../errors.js';
import type { Budgets } from '../../usage/budgets/budgets.js';
import type { ClaimedResponse } from '../protocol/claimed-response.js';
import type { StatementTurns } from './conversation.js';
import { GenerationError } from './processor.js';
import { persist } from './retry.js';

interface CheckOptions {
  budgets: Budgets;
  inTurn: StatementTurns;
  logger: Logger;
  signal: AbortSignal;
}

/** Throws a GenerationError that is final if a budget was used up since the message was accepted. */
export async function checkBudgets(options: CheckOptions, { payer }: ClaimedResponse): Promise<void> {
  const { budgets, inTurn } = options;
  if (!payer.hasBudgets) return;
  const refusal = await persist(options, () => inTurn(() => refusalOf(budgets.check(payer))));
  if (refusal === null) return;
  throw new GenerationError('budget_exceeded', refusal.message, {
    retryable: false,
    wasReceived: false,
    cause: refusal,
  });
}

/** What is thrown is repeated until the database answers, and this is an answer. */
async function refusalOf(check: Promise<void>): Promise<BudgetExceededError | null> {
  try {
    await check;
    return null;
  } catch (error) {
    if (error instanceof BudgetExceededError) return error;
    throw error;
  }
}

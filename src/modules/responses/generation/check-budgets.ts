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
  try {
    await persist(options, () => inTurn(() => budgets.check(payer)));
  } catch (cause) {
    if (!(cause instanceof BudgetExceededError)) throw cause;
    throw new GenerationError('budget_exceeded', cause.message, { retryable: false, wasReceived: false, cause });
  }
}

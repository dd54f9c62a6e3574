/**
 * Adds what the model took beside a response, for the summary or the name of a thread, to the usage of who asked for that response. It
 * is none itself, so their number stays. A trigger adds what responses took.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';
import type { Payer } from './budgets/budget.js';

export interface TokensUsed {
  threadId: string;
  payer: Pick<Payer, 'userId' | 'tokenId'>;
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
}

export async function addUsage(database: Pick<PrismaClient, '$queryRaw'>, used: TokensUsed): Promise<void> {
  const { threadId, model, payer } = used;
  const [inputTokens, outputTokens] = [used.inputTokens ?? 0, used.outputTokens ?? 0];
  if (inputTokens + outputTokens === 0) return;
  await database.$queryRaw`
    SELECT count_usage(${payer.userId}::text, ${payer.tokenId}::text, ${threadId}::text, clock_timestamp(), ${model}::text, 0,
      ${inputTokens}::bigint, ${outputTokens}::bigint)::text`;
}

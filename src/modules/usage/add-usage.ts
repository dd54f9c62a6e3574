/**
 * Adds what the model took beside responses, for the summary or the name of a thread, to the usage of the thread's owner. It is no
 * response, so their number stays. A trigger adds what responses took.
 */
import type { PrismaClient } from '../../../prisma/generated/client/client.js';

export interface TokensUsed {
  threadId: string;
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
}

export async function addUsage(database: PrismaClient, used: TokensUsed): Promise<void> {
  const { threadId, model } = used;
  const [inputTokens, outputTokens] = [countOf(used.inputTokens), countOf(used.outputTokens)];
  if (inputTokens + outputTokens === 0) return;
  await database.$executeRaw`
    INSERT INTO usage_day AS u (organization_id, day, user_id, model, responses, input_tokens, output_tokens)
    SELECT t.organization_id, (clock_timestamp() AT TIME ZONE 'UTC')::date, t.owner_id, ${model}, 0,
      ${inputTokens}::bigint, ${outputTokens}::bigint
    FROM thread t WHERE t.id = ${threadId}
    ON CONFLICT (organization_id, day, user_id, model) DO UPDATE SET
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens`;
}

/** A provider may send anything, and a sum must never fall or overflow. */
function countOf(tokens: number | null): number {
  return tokens !== null && tokens > 0 && tokens <= most ? Math.round(tokens) : 0;
}

const most = 2 ** 31 - 1;

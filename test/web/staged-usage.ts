/** Usage as responses of many days would have added it. */
import type { Person } from '../support/service.js';
import type { WebWorld } from './browser.js';

export interface StagedUsage {
  /** As `2026-11-23`. */
  day: string;
  userId: string;
  model: string;
  responses: number;
  inputTokens: number;
  outputTokens: number;
}

const dayMs = 86_400_000;

/** The day so many days ago, in UTC. */
export function dayBefore(days: number): string {
  return new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
}

/** Adds the rows to the usage of the person's organization. */
export async function stageUsage({ service }: WebWorld, { id }: Person, rows: readonly StagedUsage[]): Promise<void> {
  const { database } = service;
  const { organizationId } = await database.user.findUniqueOrThrow({ where: { id } });
  const data = rows.map(({ day, inputTokens, outputTokens, ...row }) => ({
    ...{ organizationId, day: new Date(day), ...row },
    ...{ inputTokens: BigInt(inputTokens), outputTokens: BigInt(outputTokens) },
  }));
  await database.usageDay.createMany({ data });
}

/** Days of several users and models, the last one today. */
export function manyDays(userIds: readonly string[]): StagedUsage[] {
  const models = ['openai:gpt-5', 'compatible:a-model-with-a-long-name-2026-11'];
  return Array.from({ length: 20 }, (_, ago) => ago).flatMap((ago) =>
    userIds.map((userId, index) => ({
      ...{ day: dayBefore(ago), userId, model: models[(ago + index) % 2] ?? '' },
      ...{
        responses: 3 + ((ago * 7) % 11),
        inputTokens: 1_234_567 * (1 + (ago % 5)),
        outputTokens: 45_678 * (1 + index),
      },
    })),
  );
}

/** For tests of the order of the list: for each of them a new Ada with six threads, and Bob, who sees them. */
import { newcomersTest } from '../../../support/fixtures/service.js';
import type { TestService } from '../../../support/service.js';
import { addThreads } from '../../../support/threads.js';

export const at = (second: number) => new Date(Date.UTC(2024, 10, 20, 17, 29, second));

/** The first of `ids` is the oldest. */
export const it = newcomersTest().extend('ids', { auto: true }, ({ service, ada }) => {
  const seeds = [1, 2, 3, 4, 5, 6].map((second) => ({
    name: `thread ${second}`,
    createdAt: at(second),
    updatedAt: at(second),
  }));
  return addThreads(service, ada, seeds);
});

export async function change(
  service: TestService,
  id: string,
  data: { isPrivate?: boolean; archived?: boolean; name?: string; updatedAt?: Date },
): Promise<void> {
  await service.database.thread.update({ where: { id }, data });
}

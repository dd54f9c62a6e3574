/** Answers that come late, or never: the test decides when. What is held was answered by the service at its own time. */
import type { Page, Route } from 'playwright-core';
import { expect, vi } from 'vitest';
import { gate } from '../../support/model/model-script.js';

export interface HoldOptions {
  /** The name of the query, the mutation or the subscription. */
  operation: string;
  /** Which of its requests; all where it is left out. */
  where?: (variables: Record<string, unknown>) => boolean;
  /** True: the service never hears of it, and who sent it hears that the network failed; or only the answer gets lost. */
  isLost?: boolean | 'onTheWayBack';
}

export class HeldAnswers {
  readonly #held: (() => void)[] = [];
  #isOver = false;

  private constructor(private readonly options: HoldOptions) {}

  static async of(page: Page, options: HoldOptions): Promise<HeldAnswers> {
    const answers = new HeldAnswers(options);
    await page.route(/\/graphql(\/stream)?$/, (route) => answers.#take(route));
    return answers;
  }

  /** How many there were until now. */
  get count(): number {
    return this.#held.length;
  }

  /** Waits until there were so many, or more. */
  async waitFor(count: number): Promise<void> {
    await vi.waitFor(() => expect(this.count).toBeGreaterThanOrEqual(count), { timeout: 30_000 });
  }

  /** Lets one of them come, which began to be held as the first, the second … */
  release(index: number): void {
    this.#held[index]?.();
  }

  /** Holds no other. */
  letThrough(): void {
    this.#isOver = true;
  }

  /** Lets all of them come, and those that follow. */
  end(): void {
    this.letThrough();
    for (const release of this.#held) release();
  }

  async #take(route: Route): Promise<void> {
    const { operation, where, isLost = false } = this.options;
    const body: unknown = route.request().postDataJSON();
    const isMeant =
      isRequest(body) && new RegExp(`\\b${operation}\\b`).test(body.query) && (where?.(body.variables) ?? true);
    if (!isMeant || this.#isOver) return route.fallback();
    const response = isLost === true ? null : await route.fetch();
    const { passed, open } = gate();
    this.#held.push(open);
    if (!this.#isOver) await passed;
    await (response && !isLost ? route.fulfill({ response }) : route.abort());
  }
}

interface GraphQLRequest {
  query: string;
  variables: Record<string, unknown>;
}

function isRequest(body: unknown): body is GraphQLRequest {
  return typeof body === 'object' && body !== null && 'query' in body && typeof body.query === 'string';
}

/** Waits until what has come is in the page. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** Lets the answers come, and waits until the page has one. */
export async function released(page: Page, late: HeldAnswers, operation: string): Promise<void> {
  const answer = page.waitForEvent('requestfinished', (request) => !!request.postData()?.includes(`${operation}(`));
  late.end();
  await answer;
  await drawn(page);
}

/** The names of the subscriptions that begin from now on. */
export function subscriptions(page: Page): string[] {
  const names: string[] = [];
  page.on('request', (request) => {
    names.push(...(/(?<=subscription )\w+/.exec(request.postData() ?? '') ?? []));
  });
  return names;
}

/** Opens a page with the list of threads, and waits until that is live: it is asked for once more when its feed has begun. */
export async function openList(page: Page, path = '/'): Promise<void> {
  let loads = 0;
  page.on('requestfinished', (request) => {
    if (request.postData()?.includes('query Threads')) loads += 1;
  });
  await page.goto(path);
  await vi.waitFor(() => expect(loads).toBeGreaterThanOrEqual(2), { timeout: 30_000 });
  await drawn(page);
}

/** Whatever is sent: an answer that says what is wrong with it, never a defect, and nothing stored unless it was accepted. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endpointCases, nameOf } from './endpoint-cases.js';
import { HostileStage } from './hostile-stage.js';
import { anyBody, anyQuery, anySegment, effort, longestMs, visible } from './hostile-values.js';

let stage: HostileStage;
beforeAll(async () => {
  stage = await HostileStage.start();
});
afterEach(() => stage.expectAlive());
afterAll(() => stage.stop());

const cases = endpointCases.map((each) => [nameOf(each), each] as const);

describe('hostile input', () => {
  const posts = cases.filter(([, each]) => each.method === 'POST');

  it.each(posts)('any body: %s', { timeout: longestMs }, async (_name, each) => {
    await fc.assert(
      fc.asyncProperty(anyBody, async (body) => void (await stage.expectSane({ ...stage.requestOf(each), body }))),
      effort(200),
    );
  });

  it.each(cases)('any query: %s', { timeout: longestMs }, async (_name, each) => {
    await fc.assert(
      fc.asyncProperty(anyQuery, async (query) => {
        const request = stage.requestOf(each);
        const { status } = await stage.expectSane({ ...request, path: `${request.path}?${query}` });
        if (each.method === 'POST' && each.success === 204) expect(status).toBe(204);
      }),
      effort(60),
    );
  });

  it.each(cases.filter(([, each]) => each.path.includes('{')))(
    'any path segment: %s',
    { timeout: longestMs },
    async (_name, each) => {
      await fc.assert(
        fc.asyncProperty(anySegment, anySegment, fc.constantFrom(true, false), async (one, other, keepThread) => {
          const where = { threadId: keepThread ? stage.target.threadId : one, question: other, answer: other };
          const { status } = await stage.expectSane(stage.requestOf(each, where));
          if (!keepThread || each.message) expect(status).toBe(404);
        }),
        effort(60),
      );
    },
  );

  it('any header that has a meaning', { timeout: longestMs }, async () => {
    const names = [
      'content-type',
      'x-request-id',
      'last-event-id',
      'prefer',
      'idempotency-key',
      'if-none-match',
      'accept',
    ];
    const values = fc.oneof(
      visible,
      fc.constantFrom('', '"', '""', 'handling=strict', '0-0', '1-end', '999999999-1', '-1'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...endpointCases),
        fc.constantFrom(...names),
        values,
        async (each, name, value) => {
          const request = stage.requestOf(each);
          await stage.expectSane({ ...request, headers: { ...request.headers, [name]: value } });
        },
      ),
      effort(300),
    );
  });

  it('any credentials', { timeout: longestMs }, async () => {
    const authorization = fc.oneof(
      visible,
      visible.map((value) => `Bearer ${value}`),
      visible.map((value) => `Bearer skn_pat_${value}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...endpointCases), authorization, async (each, value) => {
        const request = stage.requestOf(each);
        const { status } = await stage.expectSane({
          ...request,
          headers: { ...request.headers, authorization: value },
        });
        expect(status).toBe(401);
      }),
      effort(200),
    );
  });
});

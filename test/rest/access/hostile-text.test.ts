/** Texts of every kind: searched for without a fault, and kept as they were sent. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HostileStage } from './hostile-stage.js';
import { anyText, effort, longestMs } from './hostile-values.js';

let stage: HostileStage;
beforeAll(async () => {
  stage = await HostileStage.start();
});
afterEach(() => stage.expectAlive());
afterAll(() => stage.stop());

/** Searches that have failed. */
const examples: [string[]][] = [[['--foo€bar']], [['- foo→bar']], [['x --foo、bar']]];

describe('any text', () => {
  it('can be searched for', { timeout: longestMs }, async () => {
    const operators = fc.constantFrom('"', '-', ' or ', '&', '|', '!', ':*', '(', ')', "'", '\\', '<->', '*', '%', '_');
    const search = fc.array(fc.oneof(operators, anyText, fc.lorem({ maxCount: 2 })), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(search, async (parts) => {
        const q = encodeURIComponent(parts.join('').replaceAll('\u0000', '').slice(0, 400).toWellFormed());
        expect((await stage.expectSane({ method: 'GET', path: `/api/v1/threads?q=${q}` })).status).toBe(200);
      }),
      { ...effort(200), examples },
    );
  });

  it('comes back as it was sent, whatever the text is', { timeout: longestMs }, async () => {
    const acceptable = anyText.filter(
      (value) => value.isWellFormed() && !value.includes('\u0000') && value.trim() !== '',
    );
    await fc.assert(
      fc.asyncProperty(acceptable, acceptable, async (words, name) => {
        const { threadId, messageId } = await stage.person.rest.createThread({
          text: words,
          name: name.slice(0, 100).toWellFormed(),
        });
        const message = await stage.service.service.database.message.findUniqueOrThrow({ where: { id: messageId } });
        const thread = await stage.service.service.database.thread.findUniqueOrThrow({ where: { id: threadId } });
        expect([message.contents, thread.name]).toEqual([
          [{ type: 'text', text: words }],
          name.slice(0, 100).toWellFormed(),
        ]);
      }),
      effort(100),
    );
  });
});

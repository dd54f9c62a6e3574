/**
 * Ends the output of a run with one plain line, `12 passed, 0 failed, 1 skipped`, for programs that read it: Vitest's own
 * summary has several lines, whose form depends on what happened.
 */
import type { Reporter, TestModule } from 'vitest/node';

export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (wanted: (typeof states)[number]) => states.filter((state) => state === wanted).length;
    console.log(`\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  }
}

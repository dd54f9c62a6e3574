/**
 * Ends the output of a run with one plain line, `12 passed, 0 failed, 1 skipped`, for programs that read it: Vitest's own
 * summary has several lines, whose form depends on what happened. Where TEST_SUMMARY names a file, that takes the same as JSON
 * instead, with what failed in which file, for `.ci/run`, which looks at these files again and says the line itself.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

interface FailedFile extends Counts {
  project: string;
  file: string;
  /** The names of the tests that failed, or what else went wrong. */
  tests: string[];
}

export interface RunResult extends Counts {
  files: FailedFile[];
  /** Errors that nobody caught and that belong to no file. */
  stray: string[];
}

export class RunSummary implements Reporter {
  #root = '';

  constructor(private readonly stressSeed: string) {}

  onInit({ config }: Vitest): void {
    this.#root = config.root;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    if (modules.some(({ project }) => project.name === 'stress'))
      console.log(`\nTEST_SEED=${this.stressSeed} repeats the cases of this run.`);
    const result = this.#resultOf(modules, errors);
    const path = process.env['TEST_SUMMARY'];
    if (path !== undefined) writeFileSync(path, JSON.stringify(result));
    else console.log(`\n${result.passed} passed, ${result.failed} failed, ${result.skipped} skipped`);
  }

  #resultOf(modules: readonly TestModule[], errors: readonly SerializedError[]): RunResult {
    const whole: RunResult = { passed: 0, failed: 0, skipped: 0, files: [], stray: [] };
    const isOf = (module: TestModule, error: SerializedError) => error['VITEST_TEST_PATH'] === module.moduleId;
    for (const module of modules) {
      const { project, moduleId } = module;
      const uncaught = errors.filter((error) => isOf(module, error));
      const found = look(module, uncaught);
      for (const state of ['passed', 'failed', 'skipped'] as const) whole[state] += found[state];
      if (found.failed > 0) whole.files.push({ project: project.name, file: relative(this.#root, moduleId), ...found });
    }
    whole.stray = errors.filter((error) => !modules.some((module) => isOf(module, error))).map(messageOf);
    return whole;
  }
}

/** A file with a broken hook, with an error that nobody caught, or without an end counts as one failure where no test of it failed. */
function look(module: TestModule, uncaught: readonly SerializedError[]): Counts & { tests: string[] } {
  const found = { passed: 0, failed: 0, skipped: 0, tests: [] as string[] };
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === 'pending') continue;
    found[state] += 1;
    if (state === 'failed') found.tests.push(test.fullName);
  }
  const hasEnded = module.state() !== 'pending' && module.state() !== 'queued';
  if (found.failed === 0 && (uncaught.length > 0 || !module.ok() || !hasEnded)) {
    found.failed = 1;
    const broken = hasEnded ? 'what comes before or after its tests' : 'the file, which never ended';
    found.tests.push(uncaught.length > 0 ? uncaught.map(messageOf).join('; ') : broken);
  }
  return found;
}

function messageOf({ message }: SerializedError): string {
  return message.split('\n')[0] ?? '';
}

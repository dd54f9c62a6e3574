import { describe, expect, it } from 'vitest';
import { RestartPolicy } from '../../../src/process/group/restart-policy.js';

describe('a process that ended', () => {
  it('is started again at once, then with growing delays, and given up after five short lives in a row', () => {
    const policy = new RestartPolicy();
    const short = [10, 20, 10_000, 0, 5];
    expect(short.map((servedMs) => policy.afterEnd(servedMs))).toEqual([0, 1000, 2000, 4000, null]);
  });

  it('has a new start after it has served for more than ten seconds', () => {
    const policy = new RestartPolicy();
    const lives = [10, 10, 10, 10, 10_001, 10, 10, 10, 10];
    expect(lives.map((servedMs) => policy.afterEnd(servedMs))).toEqual([
      0,
      1000,
      2000,
      4000,
      0,
      1000,
      2000,
      4000,
      null,
    ]);
  });
});

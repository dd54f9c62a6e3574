import { expect, it } from 'vitest';
import { StoredText } from '../../../src/modules/responses/stored-text.js';
import { heldMegabytes } from '../../graphql/limits/held-memory.js';

it('the replay of a long text holds part of it in memory for a viewer, never all of it', () => {
  const before = heldMegabytes();
  const parts = Array.from({ length: 100 }, (_, n) => new StoredText(String(n % 10).repeat(2 ** 20), n * 1000));
  expect(heldMegabytes() - before).toBeLessThan(20);
  expect(parts.at(-1)?.next(99_000, 10)).toEqual({ text: '9999999999', upTo: 99_010 });
});

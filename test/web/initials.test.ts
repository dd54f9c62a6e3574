import { expect, it } from 'vitest';
import { initialsOf } from '../../src/web/ui/display-name.js';

it.each([
  ['Ada', 'A'],
  ['ada king lovelace', 'AL'],
  ['Ada Lovelace (Sales)', 'AL'],
  ['Ada (Sales Berlin)', 'A'],
  ['أحمد (فريق)', 'أ'],
  ['Ada – Berlin', 'AB'],
  ['🦊', '🦊'],
  ['(anonymous)', '('],
  [null, '?'],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

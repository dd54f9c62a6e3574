/** Generators of what callers should not send, and of what they may. */
import fc from 'fast-check';
import { anyCharacters } from '../../support/any-characters.js';
import { propertyRuns } from '../../support/case-counts.js';

export const anyText = fc.oneof(
  anyCharacters({ maxLength: 40 }),
  fc.constantFrom('', ' ', '\u0000', '\ud800', '\udc00x', '\ufeff', '-1', '1e309', 'true', 'null', "'; --", '%', '\\'),
  fc.string({ minLength: 200, maxLength: 600 }),
);
export const anyValue = fc.oneof(
  anyText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, false, 0, -0, 1e308, 2 ** 53, [], {}, [[]]),
);
const fieldNames = [
  'text',
  'name',
  'is_private',
  'positive',
  'feedback_text',
  '__proto__',
  'constructor',
  'toString',
  '',
];
export const anyBody = fc.oneof(
  fc.dictionary(fc.constantFrom(...fieldNames), anyValue).map((body) => JSON.stringify(body)),
  fc.jsonValue().map((body) => JSON.stringify(body)),
  fc.json().chain((json) => fc.nat(json.length).map((end) => json.slice(0, end))),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.nat(3000).map((depth) => '['.repeat(depth)),
);
export const visible = fc.string({
  unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
export const encoded = anyText.map((value) => encodeURIComponent(value.toWellFormed()));
export const anySegment = fc.oneof(
  visible.map((value) => value.replaceAll(/[/?#]/g, '')),
  encoded,
  fc.constantFrom('%ff', '%00', '%', '..', '.', '%2F', '%2e%2e', 'thr_', 'msg_'),
);
const parameters = [
  'owned',
  'private',
  'archived',
  'q',
  'sort_by',
  'sort_dir',
  'updated_since',
  'limit',
  'after',
  'last_event_id',
];
export const anyQuery = fc.oneof(
  visible.map((value) => value.replaceAll('#', '')),
  fc
    .array(
      fc.tuple(fc.oneof(fc.constantFrom(...parameters), encoded), fc.oneof(encoded, visible.map(encodeURIComponent))),
    )
    .map((pairs) => pairs.map((pair) => pair.join('=')).join('&')),
);

/** How long a test of many runs may take. */
export const longestMs = 180_000;

/** As many runs, but no longer than a test may take: what was found until then is shown, also while it is made smaller. */
export function effort(numRuns: number) {
  return { numRuns: propertyRuns(numRuns), interruptAfterTimeLimit: longestMs - 10_000, markInterruptAsFailure: true };
}

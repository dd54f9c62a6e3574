/**
 * Texts that are made to cost much: long runs of what is rare in a language, in the order that is worst for whoever sorts, cuts or
 * joins it. The same seed gives the same texts.
 */
import { caseCount } from '../support/case-counts.js';
import { Chance } from '../support/chance.js';

export interface HostileText {
  /** What it is made of, for a failure. */
  recipe: string;
  value: string;
}

/** Combining marks of all classes, the highest class first: each has to be moved past all that stand before it. */
const marksInWorstOrder =
  '\u0345\u0315\u0301\u0316\u031b\u0f72\u0f71\u0e48\u0e38\u0670\u0652\u064b\u05bc\u05b0\u094d\u3099\u093c\u0334';
const foreignMarks =
  '\u20d0\u1dc4\u1dc2\u0f73\u0f81\u0f75\u0eb8\u0ec8\u0c55\u0c56\u0591\u059a\u05ae\u0ae0\u{1d165}\u{1d16d}\u{1e8d0}\u{1e944}';
const units: Record<string, readonly string[]> = {
  'marks in the worst order': [...marksInWorstOrder],
  'marks that unfold into two': ['\u0344', '\u0f73', '\u0f75', '\u0f81'],
  'two marks': ['\u0301', '\u0316'],
  'marks that no accent is': [...foreignMarks],
  'marks and joiners': ['\u034f', '\u0591', '\u0592', '\u05ae', '\u034f', '\u20d0'],
  'letters with accents': ['é', 'ế', 'ǖ', 'Ṩ', 'ΐ', '\u1f82'],
  'signs that unfold into many': ['\ufdfa', '\ufdfb', '\u3300', '\u321d', '\u0f77'],
  'Hangul, whole and in parts': ['한', '\u1112', '\u1161', '\u11ab', '\uffdc', '\u3133', '각'],
  Chinese: ['東', '京', '\u4e00', '\u9fff', '\uf900', '\u3042', '\u30ac', '\u304b\u3099'],
  'Thai, Lao and Khmer': ['\u0e01\u0e38\u0e48', '\u0eb8', '\u1780\u17d2', '\u0e33', '\u0edc'],
  directions: ['\u202e', '\u202d', '\u2066', '\u2069', '\u200f', 'א', 'a'],
  'joined emoji': ['👩\u200d', '👨\u200d', '🏽', '🇩', '\ufe0f', '\u{e0067}', '🎉'],
  'letters of four bytes': ['\u{20000}', '\u{2a6df}', '\u{1d400}', '\u{1f600}', '\u{10ffff}'],
  'one letter': ['x'],
  'digits and exponents': ['1', '1e5', '0.', '-9', '+', '1e', '.5'],
  'hyphens, dots, slashes and signs': ['a-', 'b.', 'c/', '@', 'd_', ':', '//', 'www.', '?', '&x=', '#'],
  quotes: ['"', "'", '`', '“', '\uff02', '\uff07'],
  backslashes: ['\\', '\\\\', "\\'", '\\u0000', '\\"'],
  brackets: ['(', '[', '{', '<', '((', '[[', '](', ')', ']', '>'],
  operators: ['-', '--', ' -', ' or ', '!', '&', '|', '<->', ':*', ' or -', '"a b" '],
  'stars and tildes': ['*', '**', '_', '~~', '***a', ' *', '`', '```', '\n- ', '\n> ', '| '],
  tags: ['<a ', '</a>', '<!--', '&#', ';', '<b>', '&amp;', '<?', '<![CDATA['],
  spaces: [' ', '\u00a0', '\u3000', '\t', '\n', '\r\n', '\u2028', '\u0085', '\ufeff'],
  'signs without a meaning': ['\u0001', '\u007f', '\u00ad', '\ufffd', '\ufffe', '\u{fdd0}', '\u0600'],
  'letters that change their length': ['İ', 'ß', 'Ⱥ', 'ŉ', 'ﬃ', 'Σ', 'ΐ'],
  'letters that are typed in another way': ['ł', 'Æ', 'ə', 'ꜳ', 'ʣ', 'ꝁ', '\u0671', '\u06f7', 'ʾ', 'ς'],
  'letters with signs': ['a+ ', 'c# ', 'x++ ', 'C++', 'é#', '♯'],
};

/** Texts until each kind has come in each shape, with all that it has; those that follow have only some of it, in some order. */
const textsOfARound = 162;

/** The text with this number, of exactly `length` characters (code points). Each kind comes alone, in blocks, and mixed with others. */
export function hostileText(number: number, length: number): HostileText {
  const chance = new Chance(number);
  const random = () => chance.next();
  const names = Object.keys(units);
  const first = names[number % names.length] ?? '';
  const second = names[Math.floor(random() * names.length)] ?? '';
  const shapes = [
    'repeated',
    'in blocks',
    'shuffled',
    'between words',
    'after one letter',
    'with another kind',
  ] as const;
  const shape = shapes[Math.floor(number / names.length) % shapes.length] ?? 'repeated';
  const whole = units[first] ?? [];
  const own = number < textsOfARound ? whole : someOf(whole, random);
  const all = shape === 'with another kind' ? [...own, ...(units[second] ?? [])] : own;
  const pick = () => all[Math.floor(random() * all.length)] ?? '';
  const piece: Record<(typeof shapes)[number], () => string> = {
    repeated: () => all.join(''),
    'in blocks': () => all.map((unit) => unit.repeat(Math.ceil(length / all.length / [...unit].length))).join(''),
    shuffled: () => pick() + pick(),
    'between words': () => `${pick()}${random() < 0.5 ? ' ' : 'w'}${pick()}`,
    'after one letter': () => `a${all.join('').repeat(1 + Math.floor(random() * 40))}`,
    'with another kind': () => pick().repeat(1 + Math.floor(random() * 30)),
  };
  const characters: string[] = [];
  while (characters.length < length) for (const character of piece[shape]()) characters.push(character);
  const recipe = `number ${number}: ${first}${shape === 'with another kind' ? ` and ${second}` : ''}, ${shape}, ${length} characters`;
  return { recipe, value: characters.slice(0, length).join('').replaceAll('\u0000', '') };
}

/** One at least. */
function someOf(all: readonly string[], random: () => number): string[] {
  const shuffled = all.map((unit) => ({ unit, place: random() })).sort((one, other) => one.place - other.place);
  return shuffled.slice(0, 1 + Math.floor(random() * all.length)).map(({ unit }) => unit);
}

/** How many texts a run tries, and whether HOSTILE_TEXTS asked for that. */
export function textsOfARun(): { count: number; isAskedFor: boolean } {
  const count = caseCount('HOSTILE_TEXTS', { usual: 8, full: 25 });
  return { count, isAskedFor: process.env['HOSTILE_TEXTS'] !== undefined };
}

/** As long as a message may be. */
export const longest = 100_000;

/** The texts of a run, the longest first: two rounds as long as a message may be, and then of all lengths from 32,000 to 1,000. */
export function* textsOf(count: number): Generator<HostileText & { number: number; length: number }> {
  const rounds = 2 * textsOfARound;
  for (let place = 0; place < count; place += 1) {
    // Seven steps at a time, so that a few texts, too, are of all kinds and shapes.
    const start = Math.floor(place / textsOfARound) * textsOfARound;
    const number = place < rounds ? start + ((place * 7) % textsOfARound) : place;
    const left = (count - place) / Math.max(1, count - rounds);
    const length = place < rounds ? longest : Math.round(1_000 * 32 ** left);
    yield { ...hostileText(number, length), number, length };
  }
}

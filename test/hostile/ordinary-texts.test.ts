/**
 * What bounds the cost of hostile texts changes nothing for ordinary ones: words of many scripts, with marks that are composed or not,
 * are searched as if they were folded as a whole, also where a long text is folded piece by piece. And what the first version of the
 * functions stored is still found by its own folding.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prismaFolder } from '../../src/database/migrations/folder.js';
import { propertyRuns } from '../support/case-counts.js';
import { createTestDatabase, type TestDatabase } from '../support/database/database.js';

let storage: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  storage = await createTestDatabase();
  client = new pg.Client({ connectionString: storage.url });
  await client.connect();
  const rules = await readFile(join(prismaFolder(), 'migrations/20261121000100_rules/migration.sql'), 'utf8');
  const first = rules.slice(
    rules.indexOf('CREATE FUNCTION fold_words'),
    rules.indexOf('CREATE FUNCTION message_search_vector'),
  );
  await client.query(`CREATE SCHEMA first_version; SET search_path = first_version, public; ${first}`);
  // The definition: a text is folded at once, and all that stands between its words separates them.
  await client.query(
    `CREATE FUNCTION whole_vector(value text) RETURNS tsvector LANGUAGE sql IMMUTABLE AS $$
       SELECT to_tsvector('pg_catalog.simple'::regconfig, regexp_replace(
         public.text_words(value), '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u2000-\\u206f]+', ' ', 'g'))
         || '''Folded'''::tsvector $$`,
  );
});
afterAll(async () => {
  await client.end();
  await storage.drop();
});

const words = [
  ...['C++', 'F#', 'A+', 'a++b', 'İI', 'Łódź', 'ꜳꝁ', 'Azərbaycan', 'co\u00adop', 'wa\u2060ter'],
  ...['word', 'naïve', 'Ångström', 'Tiếng Việt', 'Việt Nam đẹp', 'crème brûlée', 'İstanbul', 'Straße', 'ﬁne ﬂow', 'x²'],
  ...['Ελλάδα', 'ᾠδή', 'Москва́', 'ёлка', 'Україна', 'Հայաստան', 'საქართველო', 'שָׁלוֹם', 'בְּרֵאשִׁית'],
  ...['السَّلَامُ', 'ﷺ', 'مُحَمَّد', 'ܫܠܡܐ'],
  ...['हिन्दी', 'क़लम', 'বাংলা', 'ਪੰਜਾਬੀ', 'ગુજરાતી', 'தமிழ்', 'கொடு', 'తెలుగు', 'ಕನ್ನಡ', 'മലയാളം', 'සිංහල'],
  ...['ไทยที่นี่', 'ພາສາລາວ', 'བོད་ཡིག', 'မြန်မာ', 'ខ្មែរ'],
  '東京駅',
  '中文字',
  'ひらがな',
  'がぎぐ',
  'カタカナ',
  'ﾊﾟｿｺﾝ',
  '한국어',
  '각',
  '𠮷野家',
  'አማርኛ',
  'ᏣᎳᎩ',
  'ⵜⵉⴼⵉⵏⴰⵖ',
  '👩‍👩‍👧',
  ...['🇩🇪', '１２３', 'e\u0301\u0323'],
];
const joints = [' ', ' ', ' ', ', ', '. ', '\n', '-', '', '。', ' “', '” ', '\u00a0'];
const form = fc.constantFrom('NFC', 'NFD', 'as it is');
const part = fc.tuple(fc.constantFrom(...words), form, fc.constantFrom(...joints));

function write(parts: readonly [string, string, string][]): string {
  return parts.map(([word, as, joint]) => (as === 'as it is' ? word : word.normalize(as)) + joint).join('');
}

async function expectSame(text: string): Promise<void> {
  const { rows } = await client.query<{ isSame: boolean; folds: boolean }>(
    `SELECT public.search_vector($1) = whole_vector($1) AS "isSame",
       public.fold_words($1) = first_version.fold_words($1) AS folds`,
    [text],
  );
  expect(rows[0], JSON.stringify(text).slice(0, 2_000)).toEqual({ isSame: true, folds: true });
}

describe('an ordinary text', () => {
  it('is searched as a whole, whatever its script', async () => {
    const texts = fc.array(part, { minLength: 1, maxLength: 40 }).map(write);
    await fc.assert(fc.asyncProperty(texts, expectSame), { numRuns: propertyRuns(200) });
  });

  it('is searched with those of the other blocks of its message, texts and questions alike', async () => {
    const said = fc.array(part, { maxLength: 6 }).map(write);
    const block = fc.oneof(
      said.map((text) => ({ type: 'text', text })),
      said.map((question) => ({ type: 'choice', question })),
      fc.constant({ type: 'image', attachmentId: 'att_1' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 3 }), async (blocks) => {
        const texts = blocks.flatMap((one) => ('text' in one ? [one.text] : 'question' in one ? [one.question] : []));
        const { rows } = await client.query<{ isSame: boolean }>(
          `SELECT public.message_search_vector($1) = whole_vector($2) AS "isSame"`,
          [JSON.stringify(blocks), texts.join(' ')],
        );
        expect(rows[0], JSON.stringify(blocks)).toEqual({ isSame: true });
      }),
      { numRuns: propertyRuns(100), examples: [[[]], [[{ type: 'image', attachmentId: 'att_1' }]]] },
    );
  });

  it('is searched as a whole if it is long, wherever its pieces end', async () => {
    const texts = fc
      .tuple(fc.array(part, { minLength: 20, maxLength: 60 }), fc.nat({ max: 400 }))
      .map(([parts, shift]) => 'a'.repeat(shift) + write(parts).repeat(30).slice(0, 14_000));
    await fc.assert(
      fc.asyncProperty(
        texts.filter((text) => text.isWellFormed()),
        expectSame,
      ),
      { numRuns: propertyRuns(25) },
    );
  });

  it('is searched as a whole if it has a single script', async () => {
    // Of a sign that unfolds into 18 characters, fewer are searched. Without a space, a piece may end between a letter and its sign.
    const plain = words.filter((word) => !/[ﷺ+]/.test(word));
    for (const word of plain) await expectSame(word.repeat(Math.ceil(9_000 / word.length)));
    for (const word of words) await expectSame(`x${word.normalize('NFD')} `.repeat(700));
  });
});

it('a character of a query for what the first version stored folds as in the first version, composed and decomposed', async () => {
  const { rows } = await client.query<{ code: string }>(
    `SELECT to_hex(code) AS code FROM generate_series(2, 200000) AS code,
         LATERAL (SELECT 'x' || chr(code) || 'y' || normalize(chr(code), NFD) || 'z' AS text OFFSET 0) AS written
       WHERE code NOT BETWEEN 55296 AND 57343 AND public.fold_words(text) <> first_version.fold_words(text)`,
  );
  expect(rows).toEqual([]);
});

it('a run of combining marks is truncated, whichever they are', async () => {
  const marks: string[] = [];
  for (let code = 0x300; code < 0x1f000; code += 1) {
    const mark = String.fromCodePoint(code);
    if (/\p{M}/u.test(mark) && isSorted(mark)) marks.push(mark);
  }
  const { rows } = await client.query<{ mark: string }>(
    `SELECT mark FROM unnest($1::text[]) AS mark WHERE strpos(public.bound_marks(repeat(mark, 17)), E'\\u0001') = 0`,
    [marks],
  );
  expect(marks.length).toBeGreaterThan(800);
  expect(rows).toEqual([]);
});

/** True for a mark whose place among others is decided by its class, so that it may have to be moved. */
function isSorted(mark: string): boolean {
  const moves = (text: string) => text.normalize('NFD') !== [...text].map((one) => one.normalize('NFD')).join('');
  const parts = [...mark.normalize('NFD')];
  return parts.every((one) => moves(`\u0345${one}`) || moves(`${one}\u0334`));
}

/** The texts in other languages are those of the sources, all of them and no others, and nothing is shown that is not among them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { currentLanguage } from '../../../src/web/language/current-language.js';
import { firstLanguageOf, formatLanguages, languageNames } from '../../../src/web/language/languages.js';
import { counted, defineTexts, listed, withValues } from '../../../src/web/language/texts.js';
import { declaredTexts, type Text, type Texts, undeclaredTexts } from './source-texts.js';

const languages = Object.keys(languageNames).filter((language) => language !== 'en');
const declared = declaredTexts();

describe.each(languages)('the catalogue %s', (language) => {
  const catalogue = catalogueOf(language);

  it('has every text of the sources and none that is left over', () => {
    expect(namesOf(catalogue)).toEqual(namesOf(declared));
  });

  it('has the same values in each text', () => {
    for (const [name, text] of entriesOf(declared)) {
      for (const form of formsOf(textIn(catalogue, name))) {
        // What is counted may be a word: "two days".
        const wanted = valuesIn(text).filter((value) => value !== 'count' || valuesIn(form).includes('count'));
        expect(valuesIn(form), name).toEqual(wanted);
      }
    }
  });

  it('has the forms that its language has for numbers', () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    // French and Spanish have one for whole millions, which differs only where the millions are a word.
    const forms = pluralCategories.filter((form) => form !== 'many' || language === 'ar').toSorted();
    for (const [name, text] of entriesOf(declared)) {
      const translated = textIn(catalogue, name);
      if (typeof text === 'string') expect(translated, name).toEqual(expect.any(String));
      else expect(Object.keys(translated).toSorted(), name).toEqual(forms);
    }
  });

  it('has words in each text', () => {
    for (const [name, text] of entriesOf(catalogue)) {
      for (const form of formsOf(text)) expect(form.trim(), name).not.toBe('');
    }
  });
});

describe('the texts of the web application', () => {
  it('are all declared: nothing that is shown bypasses the catalogues', () => {
    // Names that are the same in all languages.
    expect(undeclaredTexts(new Set(['Skein', 'Samsung Internet']))).toEqual([]);
  });

  it('have Arabic forms for none, one, two, a few, many and all other numbers', () => {
    const selected = { 0: 'zero', 1: 'one', 2: 'two', 3: 'few', 11: 'many', 100: 'other' };
    const rules = new Intl.PluralRules('ar');
    for (const [count, form] of Object.entries(selected)) expect(rules.select(Number(count))).toBe(form);
    const archived = textIn(catalogueOf('ar'), 'threads/panel/archive-bar.archived');
    expect(new Set(formsOf(archived)).size).toBeGreaterThan(4);
  });
});

describe('the language of a reader', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['zh-TW'], 'zh'],
    [['ja', 'fr-CA'], 'fr'],
    [['ja'], undefined],
    [['not a tag', 'ar'], 'ar'],
  ])('of the browser languages %s is %s', (wanted, language) => {
    expect(firstLanguageOf(wanted)).toBe(language);
  });

  it('has the dates and numbers of where the reader is', () => {
    expect(formatLanguages('de', ['en-GB', 'de-AT'])).toEqual(['de-AT', 'de']);
    expect(formatLanguages('de', ['en-GB'])).toEqual(['de']);
    expect(formatLanguages('en', ['ja-JP'])).toEqual(['ja-JP', 'en']);
  });
});

function catalogueOf(language: string): Texts {
  const file = new URL(`../../../src/web/language/catalogues/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

function entriesOf(texts: Texts): [string, Text][] {
  return Object.entries(texts).flatMap(([file, ofFile]) =>
    Object.entries(ofFile).map(([key, text]): [string, Text] => [`${file}.${key}`, text]),
  );
}

function namesOf(texts: Texts): string[] {
  return entriesOf(texts)
    .map(([name]) => name)
    .toSorted();
}

function textIn(texts: Texts, name: string): Text {
  const [file = '', key = ''] = name.split('.');
  return texts[file]?.[key] ?? '';
}

function formsOf(text: Text): string[] {
  return typeof text === 'string' ? [text] : Object.values(text);
}

/** The names of the values in a text, in one order. A form without one that others have is rare, and an error. */
function valuesIn(text: Text): string[] {
  return [...new Set(formsOf(text).flatMap((form) => form.match(/\{\w+\}/g) ?? []))]
    .map((value) => value.slice(1, -1))
    .toSorted();
}

const texts = defineTexts('test/texts', {
  remove: withValues('Remove {name} (2)'),
  read: counted({ one: '{names} reads', other: '{names} read {count}' }),
});

describe('a value in a text', () => {
  it('keeps its direction to itself where it is written from the right', () => {
    const t = texts.get();
    expect(t.remove({ name: 'أحمد' })).toBe('Remove \u2068أحمد\u2069 (2)');
    expect(t.read(3, { names: 'יוסי' })).toBe('\u2068יוסי\u2069 read 3');
  });

  it('is as it was written where all is written from the left', () => {
    expect(texts.get().remove({ name: 'Ada' })).toBe('Remove Ada (2)');
  });
});

it('several values in a text are listed as the language does, each in its own direction', () => {
  expect(listed(['a', 'b', 'c'])).toBe('a, b, c');
  expect(listed(['a', 'بحث (2)'])).toBe('\u2068a\u2069, \u2068بحث (2)\u2069');
  currentLanguage.set('zh');
  expect(listed(['a', 'b', 'c'])).toBe('a、b、c');
  currentLanguage.set('ar');
  expect(listed(['a', 'b'])).toBe('\u2068a\u2069 و\u2068b\u2069');
  currentLanguage.set('en');
});

/**
 * The texts of the application. English stands in the source, beside what shows it; each other language is a catalogue, which is
 * loaded alone. `docs/web-application.md` has their terms.
 */
import { createI18n, type Messages, type TranslationFunction, type Translations, transform } from '@nanostores/i18n';
import { useSyncExternalStore } from 'react';
import { loadCatalogue } from './catalogues.js';
import { currentLanguage } from './current-language.js';
import { formatIn, numbers } from './formats.js';

/** Declares the texts of a file, under its path. */
export const defineTexts = createI18n(currentLanguage, { get: loadCatalogue });

/** The texts in the language of now, for a component, which is rendered again in the next one. Others call `get`. */
export function useTexts<Texts extends Translations>(texts: Messages<Texts>): Texts {
  return useSyncExternalStore(texts.listen, texts.get);
}

type Value = string | number;
type ValuesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: Value } & ValuesOf<Rest>
  : object;

/** A text with `{names}` of values. That of the library reads a value as a pattern: the `$&` in the name of a thread. */
export const withValues = transform<[Record<string, Value>], string, string>((_language, text, values) =>
  filled(text, values),
) as <const Text extends string>(text: Text) => TranslationFunction<[ValuesOf<Text>], string>;

/** The forms of a text for a number. English has two, Arabic six, Chinese one. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** A text that depends on a number, its `{count}`. Names without a value stay. */
export const counted = transform<[number, Record<string, Value>?], Forms, string>((language, forms, count, values) =>
  filled(forms[new Intl.PluralRules(language).select(count)] ?? forms.other, { ...values, count }),
);

function filled(text: string, values: Readonly<Record<string, Value>>): string {
  return text.replace(/\{(\w+)\}/g, (gap, name: string) => {
    const value = values[name];
    if (typeof value === 'number') return numbers().format(value);
    return value === undefined ? gap : isolated(value, text);
  });
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

/** The value in its own direction, as in `<bdi>`: that of a name would move the signs and numbers beside it. */
function isolated(value: string, text: string): string {
  return rightToLeft.test(value + text) ? `\u2068${value}\u2069` : value;
}

const list = formatIn(() => new Intl.ListFormat(currentLanguage.get(), { style: 'narrow' }));

/** Several values as one, with the signs and words that the language has between them, each in its own direction. */
export function listed(values: readonly string[]): string {
  const all = list().format(values);
  return list().format(values.map((value) => isolated(value, all)));
}

/** The language of the application on this device. Until it is chosen, it is the one of the browser. */
import { useState } from 'react';
import { chooseLanguage, chosenLanguage, languageOfBrowser } from '../../language/chosen-language.js';
import { isLanguage, languageNames } from '../../language/languages.js';
import { defineTexts, useTexts, withValues } from '../../language/texts.js';
import { Select } from '../../ui/field.js';
import { Problem } from '../../ui/problem.js';

const texts = defineTexts('settings/account/language-choice', {
  title: 'Language',
  label: 'Language of the application',
  browser: withValues('That of the browser ({language})'),
  failed: 'The texts in this language did not load. Check your connection, then choose it again.',
  hint: 'On this device. Messages stay in the language in which they were written.',
});

export function LanguageChoice() {
  const t = useTexts(texts);
  const [{ hasFailed }, setOutcome] = useState({ hasFailed: false });
  const choose = async (value: string) => {
    const isShown = await chooseLanguage(isLanguage(value) ? value : null);
    setOutcome({ hasFailed: !isShown });
  };
  return (
    <section>
      <h2>{t.title}</h2>
      <div className="settings-form">
        <Select label={t.label} value={chosenLanguage() ?? ''} onChange={({ target }) => void choose(target.value)}>
          <option value="">{t.browser({ language: languageNames[languageOfBrowser()] })}</option>
          {Object.entries(languageNames).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <p className="field-hint">{t.hint}</p>
      <Problem message={hasFailed ? t.failed : null} />
    </section>
  );
}

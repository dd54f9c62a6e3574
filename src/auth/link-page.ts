/**
 * The page of a one-time sign-in link. The link is used only when the button is pressed, because chat programs and mail
 * scanners open every link. The page needs no script.
 */

import { passwordLength } from '../contract.js';
import type { LinkOwner } from '../modules/identity/sign-in-link.js';
import { type LinkLanguage, linkTexts } from './link-texts.js';

export interface LinkPageOptions {
  token: string;
  owner: LinkOwner;
  /** Whether the user has another way to sign in later, so that a password is optional. */
  isPasswordOptional: boolean;
  /** What was wrong with the previous submission. */
  problem?: string;
}

export function linkPage(
  language: LinkLanguage,
  { token, owner, isPasswordOptional, problem }: LinkPageOptions,
): string {
  const { email, name } = owner;
  const t = linkTexts[language];
  const { min, max } = passwordLength;
  const signInAs = t.signInAs.replace('{email}', () => `<strong><bdi>${escaped(email)}</bdi></strong>`);
  return page(
    language,
    t.title,
    `<p>${name ? `${t.hello(`<bdi>${escaped(name)}</bdi>`)} ` : ''}${signInAs}</p>
      ${problem ? `<p class="problem" role="alert">${escaped(problem)}</p>` : ''}
      <form method="post" action="link">
        <input type="hidden" name="token" value="${escaped(token)}">
        <input hidden name="email" autocomplete="username" value="${escaped(email)}">
        <label for="password">${isPasswordOptional ? t.change : t.choose}</label>
        <input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="hint"
          minlength="${min}" maxlength="${max}"${isPasswordOptional ? '' : ' required'}>
        <p id="hint">${isPasswordOptional ? t.changeHint(min) : t.chooseHint(min)}</p>
        <button type="submit">${t.signIn}</button>
      </form>`,
  );
}

/** Why the password was refused. Other reasons of the library stay as they are. */
export function linkProblem(language: LinkLanguage, { code, message }: { code?: string; message?: string }) {
  const t = linkTexts[language];
  if (code === 'PASSWORD_TOO_SHORT') return t.tooShort(passwordLength.min);
  return code === 'PASSWORD_TOO_LONG' ? t.tooLong(passwordLength.max) : message;
}

/** The page for a link that was used or has expired. */
export function goneLinkPage(language: LinkLanguage): string {
  const { gone, goneReason, goneRemedy } = linkTexts[language];
  const remedy = goneRemedy.replace(/\[(.*)\]/, '<a href="../sign-in">$1</a>');
  return page(language, gone, `<p>${goneReason}</p>\n      <p>${remedy}</p>`);
}

/** The page after too many attempts from an address. The link remains valid. */
export function tooManyAttemptsPage(language: LinkLanguage): string {
  const { tooMany, tooManyReason } = linkTexts[language];
  return page(language, tooMany, `<p>${tooManyReason}</p>`);
}

function page(language: LinkLanguage, title: string, content: string): string {
  return `<!doctype html>
<html lang="${language === 'zh' ? 'zh-Hans' : language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="same-origin">
    <title>${title} · Skein</title>
    <link rel="icon" href="../icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="link.css">
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>
`;
}

/** Has the colours and sizes of the web application, and the fonts of the device: the page loads before any of its files. */
export const linkPageStyle = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { background: light-dark(#fcfaf5, #1b1815); }
body, input { color: light-dark(#211d18, #ece6dc); }
main { box-sizing: border-box; width: 100%; max-width: 26rem; padding: 2rem 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; letter-spacing: -0.01em; }
:lang(ar) h1 { letter-spacing: normal; }
a { color: light-dark(#14615a, #7fcabf); }
label { display: block; font-size: 0.9375rem; font-weight: 600; margin-top: 1.5rem; }
input, button { box-sizing: border-box; width: 100%; font: inherit; padding: 0.5rem 0.75rem; border-radius: 8px; }
input { margin-top: 0.375rem; border: 1px solid light-dark(#8b8373, #847a6d); background: light-dark(#fffefa, #262220); }
button { margin-top: 1rem; border: 0; font-size: 0.9375rem; cursor: pointer;
  background: light-dark(#14615a, #7fcabf); color: light-dark(#ffffff, #0d1f1c); }
:focus-visible { outline: 2px solid light-dark(#14615a, #7fcabf); outline-offset: 2px; }
#hint { margin: 0.375rem 0 0; font-size: 0.8125rem; color: light-dark(#5d564a, #b3a99b); }
.problem { padding: 0.6rem 0.8rem; border-radius: 8px; background: light-dark(#fbeae5, #3d2420);
  color: light-dark(#a8281f, #ff9d90); }
`;

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}

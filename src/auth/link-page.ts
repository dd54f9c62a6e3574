/**
 * The page of a one-time sign-in link. The link is used only when the button is pressed, because chat programs and mail
 * scanners open every link. The page needs no script.
 */

import { passwordLength } from '../contract/password-length.js';
import type { LinkOwner } from '../modules/identity/sign-in-link.js';

export interface LinkPageOptions {
  token: string;
  owner: LinkOwner;
  /** Whether the user has another way to sign in later, so that a password is optional. */
  isPasswordOptional: boolean;
  /** What was wrong with the previous submission. */
  problem?: string;
}

export function linkPage({ token, owner, isPasswordOptional, problem }: LinkPageOptions): string {
  const { email, name } = owner;
  const hint = isPasswordOptional
    ? `Leave it empty to keep things as they are. At least ${passwordLength.min} characters; a new one signs you out everywhere else.`
    : `At least ${passwordLength.min} characters. A few words that you can remember are better than signs that you cannot.`;
  return page(
    'Welcome to Skein',
    `<p>${name ? `Hello ${escaped(name)}. ` : ''}You sign in as <strong>${escaped(email)}</strong>.</p>
      ${problem ? `<p class="problem" role="alert">${escaped(problem)}</p>` : ''}
      <form method="post" action="link">
        <input type="hidden" name="token" value="${escaped(token)}">
        <input type="hidden" name="email" autocomplete="username" value="${escaped(email)}">
        <label for="password">${isPasswordOptional ? 'New password (optional)' : 'Choose a password'}</label>
        <input id="password" name="password" type="password" autocomplete="new-password" aria-describedby="hint"
          minlength="${passwordLength.min}" maxlength="${passwordLength.max}"${isPasswordOptional ? '' : ' required'}>
        <p id="hint">${hint}</p>
        <button type="submit">Sign in</button>
      </form>`,
  );
}

/** The page for a link that was used or has expired. */
export function goneLinkPage(): string {
  return page(
    'This link does not work',
    `<p>It was used already, or its time is over: a link signs in once, within a day.</p>
      <p>Ask an administrator for a new one, or <a href="../sign-in">sign in</a> in another way.</p>`,
  );
}

/** The page after too many attempts from an address. The link remains valid. */
export function tooManyAttemptsPage(): string {
  return page(
    'Too many attempts',
    '<p>Your address has tried to sign in too often. Wait a minute, then open the link again: it still works.</p>',
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="same-origin">
    <title>${title} · Skein</title>
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

/** Uses the colours of the web application. */
export const linkPageStyle = `
:root { color-scheme: light dark; font: 1rem/1.55 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
body, input { background: light-dark(#ffffff, #16181c); color: light-dark(#1c1d20, #e8e9eb); }
main { box-sizing: border-box; width: 100%; max-width: 26rem; padding: 2rem 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }
a { color: light-dark(#2f5bd8, #8fabff); }
label { display: block; font-weight: 600; margin-top: 1.5rem; }
input, button { box-sizing: border-box; width: 100%; font: inherit; padding: 0.625rem 0.75rem; border-radius: 8px; }
input { margin-top: 0.375rem; border: 1px solid light-dark(#8b8b84, #6f7682); }
button { margin-top: 1rem; border: 0; font-weight: 600; cursor: pointer;
  background: light-dark(#2f5bd8, #8fabff); color: light-dark(#ffffff, #10131a); }
:focus-visible { outline: 2px solid light-dark(#2f5bd8, #8fabff); outline-offset: 2px; }
#hint { margin: 0.375rem 0 0; font-size: 0.875rem; color: light-dark(#5a5c63, #a5aab3); }
.problem { color: light-dark(#b3261e, #ff9d94); }
`;

function escaped(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}

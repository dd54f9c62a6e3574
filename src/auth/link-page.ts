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

/** Has the colours and sizes of the web application, and the fonts of the device: the page loads before any of its files. */
export const linkPageStyle = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { background: light-dark(#fcfaf5, #1b1815); }
body, input { color: light-dark(#211d18, #ece6dc); }
main { box-sizing: border-box; width: 100%; max-width: 26rem; padding: 2rem 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; letter-spacing: -0.01em; }
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

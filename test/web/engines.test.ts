/** What people do first, in the engines of Firefox and Safari: all other tests of the web application see Chromium alone. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { issueSignInLink } from '../../src/modules/identity/sign-in-link.js';
import { gate, text, wait } from '../support/model/model-script.js';
import { startTestService } from '../support/service.js';
import { newcomer } from '../support/threads.js';
import { engines, type SendCommand } from './driven-browser.js';

const enter = '\uE007';
const newLine = `\uE008${enter}\uE008`;

/** Keeps what a page reports as an error from now on. */
const watch = `
  window.problems = [];
  const note = (problem) => window.problems.push(String(problem));
  addEventListener('error', ({ message }) => note(message));
  addEventListener('unhandledrejection', ({ reason }) => note(reason));
  addEventListener('securitypolicyviolation', ({ violatedDirective }) => note(violatedDirective));
  console.error = note;`;

describe.each(engines)('the web application in $name', ({ missing, start }) => {
  const note = missing.length > 0 ? ` (skipped: not in PATH: ${missing.join(', ')})` : '';

  it.skipIf(note)(
    `signs in, shows an answer while it comes and after a reload, and has everything in its place${note}`,
    { timeout: 180_000 },
    async () => {
      const [service, send] = await Promise.all([
        startTestService({ environment: { PUBLIC_URL: 'http://localhost' } }),
        start(),
      ]);
      onTestFinished(() => service.stop());
      const run = (script: string) => send('WebDriver:ExecuteScript', 'execute/sync', { script, args: [] });
      const seen = (words: string) => expect.poll(() => run('return document.body.innerText')).toContain(words);

      const { id: userId } = await newcomer(service);
      const { url } = await issueSignInLink(service.database, { userId, publicUrl: service.url });
      await send('WebDriver:Navigate', 'url', { url });
      await type(send, 'input[type=password]', `correct horse battery staple${enter}`);
      await seen('Who can read it:');
      await run(watch);
      const lines = ['One', 'Two', 'Three', 'Four', 'Five'];
      await type(send, 'textarea', lines.join(newLine));
      // The field is as high as its text, and the choices stand beside their question.
      const field = "const { value, scrollHeight, clientHeight } = document.querySelector('textarea');";
      expect(await run(`${field} return [value, scrollHeight - clientHeight]`)).toEqual([lines.join('\n'), 0]);
      const sameLine =
        "const [question, choice] = document.querySelector('.readers-choice').children;" +
        'return choice.offsetTop < question.offsetTop + question.offsetHeight';
      expect(await run(sameLine)).toBe(true);

      const end = gate();
      service.model.enqueue([text('Half of it,'), wait(end.passed), text(' and the rest.')]);
      await type(send, 'textarea', enter);
      await seen('Half of it,');
      end.open();
      await seen('Half of it, and the rest.');
      // A dialog is not stretched from edge to edge of the window, which would leave 2 rem.
      await run(
        "document.querySelector('.panel').dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))",
      );
      await seen('Show the keys');
      expect(await run("return innerHeight - document.querySelector('[role=dialog]').offsetHeight")).toBeGreaterThan(
        32,
      );
      expect(await run('return window.problems')).toEqual([]);
      await send('WebDriver:Refresh', 'refresh', {});
      await seen('Half of it, and the rest.');
    },
  );
});

/** Types as a person does. */
async function type(send: SendCommand, selector: string, words: string): Promise<void> {
  const element = await send('WebDriver:FindElement', 'element', { using: 'css selector', value: selector });
  const [id = ''] = Object.values(element as Record<string, string>);
  await send('WebDriver:ElementSendKeys', `element/${id}/value`, { id, text: words });
}

/**
 * What the reasons of the service mean, by their codes. The service writes English, and knows more than a code says: in English
 * its own sentence is shown, and in each language where no text belongs to the code.
 */
import { currentLanguage } from './current-language.js';
import { defineTexts, withValues } from './texts.js';

const texts = defineTexts('language/refusal-texts', {
  NOT_FOUND: 'This does not exist, or you may not see it.',
  NOT_OWNER: 'Only the owner of the thread may do this.',
  NOT_ADMINISTRATOR: 'Only an administrator may do this.',
  NOT_SIGNED_IN: 'Sign in to do this.',
  THREAD_NOT_READY: 'The thread is not ready for this now. Wait for the answer to end.',
  THREAD_NOT_INTERRUPTED: 'The answer was not stopped, so there is nothing to go on from.',
  CHOICE_NOT_OPEN: 'The thread no longer ends with this question. Send a message instead.',
  ATTACHMENT_QUOTA: 'There is no room for more files. Send or remove some that were not sent, or ask an administrator.',
  BUDGET_EXCEEDED: 'The budget for answers is used up. Try again when it renews, or ask an administrator to raise it.',
  RATE_LIMITED: 'That was too much at once. Wait a moment, then try again.',
  rateLimitedFor: withValues('That was too much at once. Try again in {seconds} s.'),
  UNAVAILABLE: 'The service is busy. Try again in a moment.',
  INTERNAL_SERVER_ERROR: 'Something went wrong. Try again in a moment.',
});

/** Codes of which users need to know no more than of another. */
const sameAs: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: 'NOT_SIGNED_IN',
  LIMIT_EXCEEDED: 'RATE_LIMITED',
  REQUEST_TIMEOUT: 'UNAVAILABLE',
};

/** With the number of seconds after which the service would not refuse it, where it knows that. */
export function refusalText(code: string, message: string, seconds: number | null = null): string {
  if (currentLanguage.get() === 'en') return message;
  const { rateLimitedFor, ...others } = texts.get();
  if (seconds !== null) return rateLimitedFor({ seconds });
  const byCode: Readonly<Record<string, string>> = others;
  return byCode[sameAs[code] ?? code] ?? message;
}

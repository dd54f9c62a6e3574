/**
 * Makes commander refuse everything that it does not understand, as an error that `run` turns into an exit status: unknown
 * commands and options, missing values and surplus arguments. A misspelled `--role`, for example, must not silently create
 * an ordinary member.
 */
import { type Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings';
import { textLimits } from '../contract.js';

/**
 * Parses the value of an option or of an argument. commander takes the next word as the value of an option even if it is an
 * option itself, so `--name --role=admin` would name a member `--role=admin`.
 */
export function value(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It is empty.');
  if (text.startsWith('-')) throw new InvalidArgumentError('It starts with a dash, so the value is missing.');
  return text;
}

/** Parses a name, which may be as long as in the API. */
export function nameValue(text: string): string {
  const { max } = textLimits.name;
  if ([...value(text)].length > max) throw new InvalidArgumentError(`It has more than ${max} characters.`);
  return text;
}

/** A name on one line, whatever it contains. */
export function onOneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** Applies to a command and all below it. Errors are followed by the usage, and thrown instead of ending the process. */
export function strict(command: CommandUnknownOpts | Command): void {
  command.exitOverride().helpCommand(false).showHelpAfterError().showSuggestionAfterError(false);
  for (const child of command.commands) strict(child);
}

/**
 * Validates texts of callers, for every transport. U+0000 and unpaired surrogates are rejected, because PostgreSQL
 * cannot store them. Everything else is stored as sent, without trimming or normalizing.
 */
import { textLimits } from '../contract.js';
import { type InputProblem, InvalidInputError } from '../errors.js';

export interface CheckedText {
  field: string;
  value: string | null | undefined;
  limit: keyof typeof textLimits;
}

/** Throws an `InvalidInputError` that names every invalid field. */
export function checkText(texts: readonly CheckedText[]): void {
  const problems = texts.flatMap(problemsOf);
  if (problems.length > 0) throw new InvalidInputError(problems);
}

/** The reason why the text cannot be stored, or null. */
export function unstorable(value: string): string | null {
  if (value.includes('\u0000')) return 'must not contain the character U+0000';
  return value.isWellFormed() ? null : 'must not contain unpaired surrogates';
}

function problemsOf({ field, value, limit }: CheckedText): InputProblem[] {
  if (value == null) return [];
  const { min, max, blank } = textLimits[limit];
  const fault = unstorable(value);
  if (fault) return [{ field, message: fault }];
  if (value.length < min || (!blank && value.trim() === '')) return [{ field, message: 'must not be empty' }];
  // Code points are counted only in texts that may be too long.
  if (value.length > max && [...value].length > max)
    return [{ field, message: `must be at most ${max} characters long` }];
  return [];
}

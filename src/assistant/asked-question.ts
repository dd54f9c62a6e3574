/**
 * Reads a question from a call of the tool, in any form that models write it: arguments that are JSON twice over, fenced,
 * broken or followed by tags, other names for the fields, choices that are no texts.
 */
import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import { choiceToolName, mostChoices } from './choice-tool.js';
import type { ToolCall } from './language-model.js';

export interface AskedQuestion {
  question: string;
  /** With fewer than two there is nothing to choose, and the question is text. */
  choices: string[];
}

/** Much longer arguments are no question. */
const longestInput = 65_536;
/** The time of a repair grows with the square of the length: 60,000 braces take 5 s, these 0.1 s. */
const longestRepair = 10_000;
/** An object, as JSON, as a JSON text of it, and that once more. */
const deepest = 3;

const questionNames = ['question', 'prompt', 'query', 'message', 'text', 'title'];
const choiceNames = ['choices', 'options', 'answers', 'alternatives', 'items', 'values'];
const labelNames = ['label', 'text', 'title', 'name', 'choice', 'option', 'value', 'description', 'id'];

/** Null if the call is of another tool, or if its arguments hold no question. */
export function readQuestion({ name, input }: ToolCall): AskedQuestion | null {
  if (!isChoiceTool(name)) return null;
  const fields = objectIn(input);
  if (!fields) return null;
  const question = questionNames.map((field) => textOf(fields[field])).find((text) => text !== '') ?? '';
  if (question === '') return null;
  const listed = choiceNames.map((field) => listOf(fields[field])).find((choices) => choices.length > 0) ?? [];
  return { question, choices: [...new Set(listed)].slice(0, mostChoices) };
}

/** Some servers put a namespace before the name, or a mark of their template behind it. */
function isChoiceTool(name: string): boolean {
  return name.slice(0, 200).includes(choiceToolName);
}

const anyObject = z.record(z.string(), z.unknown());

function objectIn(input: unknown, depth = 0): Record<string, unknown> | null {
  if (typeof input === 'string') return depth < deepest ? objectIn(jsonIn(input), depth + 1) : null;
  const fields = anyObject.safeParse(input).data ?? null;
  // Some models repeat the form of the call inside of its arguments.
  const inner = fields?.arguments ?? fields?.parameters ?? fields?.input;
  return inner === undefined ? fields : objectIn(inner, depth + 1);
}

/** Undefined for what nothing can repair. */
function jsonIn(text: string): unknown {
  if (text.length > longestInput) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return repaired(text);
  }
}

function repaired(text: string): unknown {
  const start = text.indexOf('{');
  if (start < 0) return undefined;
  const fromStart = text.slice(start);
  // What follows the last brace is a fence, a tag or a mark; without a brace the end was cut.
  const end = fromStart.lastIndexOf('}');
  for (const candidate of [fromStart.slice(0, end + 1), fromStart]) {
    const value = candidate === '' ? undefined : tryRepair(candidate);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  }
  return undefined;
}

function tryRepair(text: string): unknown {
  if (text.length > longestRepair) return undefined;
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function listOf(value: unknown): string[] {
  if (typeof value === 'string') return listInText(value);
  if (typeof value !== 'object' || value === null) return [];
  const entries = Array.isArray(value) ? value : Object.values(value);
  return entries.map(labelOf).filter((label) => label !== '');
}

function listInText(text: string): string[] {
  const parsed = text.trim().startsWith('[') ? tryRepair(text) : undefined;
  if (Array.isArray(parsed)) return listOf(parsed);
  return text
    .split(text.includes('\n') ? '\n' : /[,;|]/)
    .map((entry) => entry.replace(/^\s*[-*•]\s+/, '').trim())
    .filter((entry) => entry !== '');
}

function labelOf(entry: unknown): string {
  const fields = anyObject.safeParse(entry).data;
  if (!fields) return textOf(entry);
  return labelNames.map((field) => textOf(fields[field])).find((label) => label !== '') ?? '';
}

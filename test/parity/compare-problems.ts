import { expect } from 'vitest';
import { counterpartOf, type GraphqlAnswer, type Request } from './ask-both.js';
import { inputs } from './counterparts.js';
import { members, problems } from './problems.js';

interface Fault {
  parameter?: string;
  pointer?: string;
}

/** Fails where a problem and the error that stands for it say different things. */
export function sameProblem(
  request: Request,
  problem: Record<string, unknown>,
  { failure, outcome }: GraphqlAnswer,
): void {
  const code = String(problem['code']);
  if (members[code] === undefined) expect(failure['code']).toBe(problems[code]);
  else expect(outcome).toBe(members[code]);
  expect(problem['required_scope']).toBe(failure['requiredScope']);
  expect(problem['thread_state']).toBe(lowerCase(failure['state']));
  if (code === 'budget_exceeded') {
    const { scope, period, unit, maximum, renewsAt } = failure;
    const budget = { scope: lowerCase(scope), period: lowerCase(period), unit: lowerCase(unit), maximum };
    expect(problem).toMatchObject({ budget, renews_at: renewsAt });
  }
  if (code === 'invalid_request') {
    // Each says it in the words of its own validation; the values that are at fault are the same.
    const fields = ((failure['problems'] ?? []) as { field: string }[]).map(({ field }) => field);
    const faults = ((problem['errors'] ?? []) as Fault[]).map((fault) => placeOf(request, fault));
    expect([...new Set(faults)].sort()).toEqual([...new Set(fields)].sort());
    return;
  }
  // Before it stands the parameter that is at fault, where there is one.
  const [fault] = (problem['errors'] ?? []) as Fault[];
  expect(problem['detail']).toBe(`${fault ? `${fault.parameter}: ` : ''}${String(failure['message'])}`);
}

function lowerCase(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}

/** What GraphQL calls the value that is at fault. */
function placeOf({ endpoint }: Request, { parameter, pointer = '' }: Fault): string {
  const { parameters, body = '' } = counterpartOf(endpoint);
  const place = parameter === undefined ? inputs[body]?.fields[pointer.slice(1)] : parameters[parameter];
  return place?.split('.').at(-1) ?? `${parameter ?? pointer} has no counterpart`;
}

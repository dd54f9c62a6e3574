/**
 * Limits the variables of an operation. The executor prints a value for each error, up to fifty times: a request of 200
 * KB could block the event loop for a second and cause megabytes of errors. The number of values is therefore limited,
 * and for long variables only the first error is reported.
 */
import { type ExecutionArgs, type ExecutionResult, GraphQLError, getOperationAST, getVariableValues } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { shortened } from '../shortened.js';
import { limitExceeded, maximums } from './limit-exceeded.js';

/** Variables with more characters count as long. */
const longText = 16_384;

export function variableLimit(): Plugin {
  const check = (args: ExecutionArgs, stop: (result: ExecutionResult) => void) => {
    if (measure(args.variableValues).text < longText) return;
    const fault = firstFault(args);
    if (fault) stop({ errors: [fault] });
  };
  return {
    onParams({ params }) {
      if (measure(params.variables).values > maximums.variables) throw limitExceeded('variables');
    },
    onExecute: ({ args, setResultAndStopExecution }) => check(args, setResultAndStopExecution),
    onSubscribe: ({ args, setResultAndStopExecution }) => check(args, setResultAndStopExecution),
  };
}

/** Counts values and characters; stops at too many values. */
function measure(root: unknown): { values: number; text: number } {
  const unseen: unknown[] = [root];
  const sum = { values: -1, text: 0 };
  while (unseen.length > 0 && sum.values <= maximums.variables) {
    const value = unseen.pop();
    sum.values += 1;
    if (typeof value === 'string') sum.text += value.length;
    if (typeof value !== 'object' || value === null) continue;
    const inner: unknown[] = Object.values(value);
    if (inner.length > maximums.variables) return { ...sum, values: inner.length };
    unseen.push(...inner);
  }
  return sum;
}

/** The first error in the variables, worded as by the executor. */
function firstFault({ schema, document, operationName, variableValues }: ExecutionArgs): GraphQLError | null {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const [fault] = getVariableValues(schema, definitions, variableValues ?? {}, { maxErrors: 1 }).errors ?? [];
  if (!fault) return null;
  const extensions = { code: 'BAD_USER_INPUT', http: { status: 400, spec: true } };
  return new GraphQLError(shortened(fault.message), { nodes: fault.nodes ?? null, extensions });
}

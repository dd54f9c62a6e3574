/**
 * Limits what depends on the variables of an operation: how many values they hold, the length of ids, and list items.
 * The executor prints a value for each error, up to fifty times: a request of 200 KB could block the event loop for a
 * second and cause megabytes of errors. For long variables only the first error is therefore reported. Valid ids have
 * thirty characters; a longer one matches nothing and is not sent to the database once for each field.
 */
import {
  type ExecutionArgs,
  GraphQLError,
  GraphQLID,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isInputObjectType,
  isInputType,
  isListType,
  typeFromAST,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { shortened } from '../shortened.js';
import { countItems } from './count-items.js';
import { limitExceeded, maximums } from './limit-exceeded.js';

/** Variables with more characters count as long. */
const longText = 16_384;

/** For every transport but REST. */
export function operationLimits(): Plugin {
  const check = (args: ExecutionArgs, stop: (result: { errors: GraphQLError[] }) => void) => {
    const error = refusalOf(args);
    if (error) stop({ errors: [error] });
  };
  return {
    onParams({ params }) {
      if (measure(params.variables).values > maximums.variables) throw limitExceeded('variables');
    },
    onExecute: ({ args, setResultAndStopExecution }) => check(args, setResultAndStopExecution),
    onSubscribe: ({ args, setResultAndStopExecution }) => check(args, setResultAndStopExecution),
  };
}

function refusalOf(args: ExecutionArgs): GraphQLError | null {
  const fault = measure(args.variableValues).text < longText ? null : firstFault(args);
  if (fault) return fault;
  if (hasLongId(args)) return limitExceeded('idLength');
  return countItems(args) > maximums.items ? limitExceeded('items') : null;
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

function hasLongId({ schema, document, operationName, variableValues }: ExecutionArgs): boolean {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  return definitions.some(({ variable, type: written }) => {
    const type = typeFromAST(schema, written);
    return isInputType(type) && holdsLongId(variableValues?.[variable.name.value], type);
  });
}

function holdsLongId(value: unknown, maybeNull: GraphQLInputType): boolean {
  const type = getNullableType(maybeNull);
  if (typeof value === 'string') return getNamedType(type) === GraphQLID && value.length > maximums.idLength;
  if (typeof value !== 'object' || value === null) return false;
  if (isListType(type)) return Object.values(value).some((item) => holdsLongId(item, type.ofType));
  if (!isInputObjectType(type)) return false;
  const given = new Map<string, unknown>(Object.entries(value));
  return Object.values(type.getFields()).some((field) => holdsLongId(given.get(field.name), field.type));
}

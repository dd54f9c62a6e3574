/**
 * Limits the length of ids in variables and documents. Valid ids have thirty characters; a longer one matches nothing
 * and is not sent to the database once for each field.
 */
import {
  type ASTVisitor,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLID,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  getOperationAST,
  isInputObjectType,
  isInputType,
  isListType,
  typeFromAST,
  type ValidationContext,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { limitExceeded, maximums } from './limit-exceeded.js';

export function idLength(): Plugin {
  const check = (args: ExecutionArgs, stop: (result: ExecutionResult) => void) => {
    if (hasLongId(args)) stop({ errors: [limitExceeded('idLength')] });
  };
  return {
    onValidate: ({ addValidationRule }) => addValidationRule(refuseLongIds),
    onExecute: ({ args, setResultAndStopExecution }) => check(args, setResultAndStopExecution),
    onSubscribe: ({ args, setResultAndStopExecution }) => check(args, setResultAndStopExecution),
  };
}

/** Throws instead of reporting, because other rules would repeat the id in their errors. */
function refuseLongIds(context: ValidationContext): ASTVisitor {
  return {
    StringValue({ value }) {
      const type = context.getInputType();
      if (type && getNamedType(type) === GraphQLID && isLong(value)) throw limitExceeded('idLength');
    },
  };
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
  if (typeof value === 'string') return getNamedType(type) === GraphQLID && isLong(value);
  if (typeof value !== 'object' || value === null) return false;
  if (isListType(type)) return Object.values(value).some((item) => holdsLongId(item, type.ofType));
  if (!isInputObjectType(type)) return false;
  const given = new Map<string, unknown>(Object.entries(value));
  return Object.values(type.getFields()).some((field) => holdsLongId(given.get(field.name), field.type));
}

function isLong(id: string): boolean {
  return id.length > maximums.idLength;
}

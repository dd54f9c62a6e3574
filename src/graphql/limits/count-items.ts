/**
 * Counts the items that an operation requests: for each connection its `first` or `last`, multiplied by that of the
 * list around it. Page sizes are usually variables, so the count needs their values. A list without pages declares its
 * maximum in the extension `maximumItems`; without that it is not counted separately.
 */
import { type ExecutionArgs, type FieldNode, getOperationAST, Kind, type ValueNode } from 'graphql';
import { defaultPageSize, maximumPageSize } from '../../contract.js';
import { selectionWalk } from './selection-walk.js';

/** The maximum number of items that the operation may load. Ignores conditions (`@skip`) and merging of fields. */
export function countItems({ schema, document, operationName, variableValues }: ExecutionArgs): number {
  const operation = getOperationAST(document, operationName);
  const numberOf = (value: ValueNode | undefined): number | undefined => {
    if (value?.kind === Kind.INT) return Number(value.value);
    if (value?.kind !== Kind.VARIABLE) return undefined;
    const { value: name } = value.name;
    const sent = variableValues?.[name];
    if (sent !== undefined) return typeof sent === 'number' ? sent : undefined;
    return numberOf(operation?.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue);
  };
  const walk = selectionWalk(schema, document, {
    field(node, field, inner) {
      if (!field) return 0;
      const isPaged = field.args.some(({ name }) => name === 'first');
      const size = isPaged ? pageSize(node, numberOf) : field.extensions['maximumItems'];
      return typeof size === 'number' ? size * (1 + inner()) : inner();
    },
  });
  return operation ? walk(operation) : 0;
}

function pageSize({ arguments: args = [] }: FieldNode, numberOf: (value: ValueNode) => number | undefined): number {
  const given = args.filter(({ name }) => name.value === 'first' || name.value === 'last');
  const sizes = given.map(({ value }) => numberOf(value)).filter((size) => size !== undefined);
  return Math.min(Math.max(1, ...(sizes.length > 0 ? sizes : [defaultPageSize])), maximumPageSize);
}

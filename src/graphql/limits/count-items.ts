/**
 * Counts the items that an operation requests: for each connection its `first` or `last`, multiplied by that of the
 * list around it. Page sizes are usually variables, so the count needs their values. A list without pages declares its
 * maximum in the extension `maximumItems`; without that it is not counted separately.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { defaultPageSize, maximumPageSize } from '../../contract.js';

export interface ItemCountOptions {
  schema: GraphQLSchema;
  /** Valid for the schema. */
  document: DocumentNode;
  operationName?: string | null | undefined;
  /** The raw values of the variables. */
  variableValues?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The maximum number of items that the operation may load. Ignores conditions (`@skip`) and merging of fields. */
export function countItems(options: ItemCountOptions): number {
  const operation = getOperationAST(options.document, options.operationName);
  return operation ? new ItemCounter(options, operation).total() : 0;
}

class ItemCounter {
  readonly #options: ItemCountOptions;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Caches each fragment, because chains of them would otherwise take exponential time. */
  readonly #counted = new Map<string, number>();

  constructor(options: ItemCountOptions, operation: OperationDefinitionNode) {
    this.#options = options;
    this.#operation = operation;
    const fragments = options.document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
    this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
  }

  total(): number {
    const { schema } = this.#options;
    return this.#inSet(this.#operation.selectionSet, schema.getRootType(this.#operation.operation));
  }

  #inSet({ selections }: SelectionSetNode, type: GraphQLNamedType | null | undefined): number {
    return selections.reduce((sum, selection) => sum + this.#inSelection(selection, type), 0);
  }

  #inSelection(selection: SelectionNode, type: GraphQLNamedType | null | undefined): number {
    if (selection.kind === Kind.FIELD) return this.#inField(selection, type);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#inFragment(selection.name.value);
    const condition = selection.typeCondition;
    return this.#inSet(selection.selectionSet, condition ? this.#options.schema.getType(condition.name.value) : type);
  }

  #inField(node: FieldNode, type: GraphQLNamedType | null | undefined): number {
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    if (!field) return 0;
    const inner = node.selectionSet ? this.#inSet(node.selectionSet, getNamedType(field.type)) : 0;
    const size = isPaged(field) ? this.#pageSize(node) : field.extensions['maximumItems'];
    return typeof size === 'number' ? size * (1 + inner) : inner;
  }

  #inFragment(name: string): number {
    const fragment = this.#fragments.get(name);
    const known = this.#counted.get(name);
    if (!fragment || known !== undefined) return known ?? 0;
    const count = this.#inSet(fragment.selectionSet, this.#options.schema.getType(fragment.typeCondition.name.value));
    this.#counted.set(name, count);
    return count;
  }

  #pageSize({ arguments: args }: FieldNode): number {
    const sizes = ['first', 'last'].flatMap((name) => {
      const size = this.#numberOf(args?.find((argument) => argument.name.value === name)?.value);
      return size === undefined ? [] : [size];
    });
    return Math.min(Math.max(1, ...(sizes.length > 0 ? sizes : [defaultPageSize])), maximumPageSize);
  }

  #numberOf(value: ValueNode | undefined): number | undefined {
    if (value?.kind === Kind.INT) return Number(value.value);
    if (value?.kind !== Kind.VARIABLE) return undefined;
    const name = value.name.value;
    const sent = this.#options.variableValues?.[name];
    if (sent !== undefined) return typeof sent === 'number' ? sent : undefined;
    const definition = this.#operation.variableDefinitions?.find((node) => node.variable.name.value === name);
    return this.#numberOf(definition?.defaultValue);
  }
}

function isPaged(field: GraphQLField<unknown, unknown>): boolean {
  return field.args.some((argument) => argument.name === 'first');
}

/**
 * What a field of a fixed document selects. Pothos walks the whole selection below a field to tell what to load, at each
 * request, which takes longer than most of what follows. Where one of our own statements loads all of it, nothing of the
 * answer depends on the request, so it is remembered with the field. `graphql/gateway` registers its documents.
 */
import { type FieldNode, type GraphQLResolveInfo, Kind, type OperationDefinitionNode } from 'graphql';

const operations = new WeakSet<OperationDefinitionNode>();
const wholeSelections = new WeakMap<FieldNode, unknown>();

/** Registers an operation of which every request selects the same fields. */
export function fixSelections(operation: OperationDefinitionNode): void {
  operations.add(operation);
}

export interface Selected<Selection> {
  select: Selection;
  /** Whether one of our own statements loads all of it. */
  isWhole: boolean;
}

/**
 * What the field of `info` selects, as `read` tells. Of a fixed operation it is read once if it is whole; otherwise it may
 * contain arguments, which are those of one request.
 */
export function selectionOf<Selection extends object>(
  info: GraphQLResolveInfo,
  { read, isWhole }: { read: () => Selection; isWhole: (selection: Selection) => boolean },
): Selected<Selection> {
  const [field] = info.fieldNodes;
  const known = field && (wholeSelections.get(field) as Selected<Selection> | undefined);
  if (known) return known;
  const select = read();
  const selected = { select, isWhole: isWhole(select) };
  if (field && selected.isWhole && operations.has(info.operation)) wholeSelections.set(field, selected);
  return selected;
}

/** Whether the field of `info` is one of a fixed operation and selects nothing but a field of this name. */
export function selectsOnly(info: GraphQLResolveInfo, name: string): boolean {
  const [only, ...more] = info.fieldNodes[0]?.selectionSet?.selections ?? [];
  return operations.has(info.operation) && more.length === 0 && only?.kind === Kind.FIELD && only.name.value === name;
}

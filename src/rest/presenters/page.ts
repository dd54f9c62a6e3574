import { defaultPageSize, maximumPageSize } from '../../contract.js';

export interface ConnectionData<Node> {
  edges: { node: Node }[];
  pageInfo: { hasNextPage: boolean };
  /** The id of the last item or, of an empty page with a next one, that with which the next one is asked for. */
  endId?: string | null;
}

/** The applied limit: the requested one, clamped to the maximum (specification, Limits). */
export function limitOf(query: { limit?: number }): number {
  return Math.min(query.limit ?? defaultPageSize, maximumPageSize);
}

/** The page envelope of the specification (Resources, Page envelope). */
export function presentPage<Node, Item extends { id: string }>(
  connection: ConnectionData<Node>,
  { limit, present }: { limit: number; present: (node: Node) => Item },
) {
  const data = connection.edges.map((edge) => present(edge.node));
  return {
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? connection.endId ?? null,
    has_more: connection.pageInfo.hasNextPage,
    limit,
  };
}

/** How threads are sorted by default, in both APIs. */
export const defaultThreadOrder = { field: 'updated_at', direction: 'desc' } as const;

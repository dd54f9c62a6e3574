/** The columns of a message that a statement of ours reads (`messages/read-page.ts`), here because threads select them too. */
const columns: ReadonlySet<string> = new Set([
  'id',
  'threadId',
  'sequence',
  'role',
  'replyToId',
  'active',
  'createdAt',
  'position',
]);

/** Whether a selection of messages, in the form of Prisma, has nothing else. */
export function isMessageRow(select: object): boolean {
  return Object.entries(select).every(([name, selected]) => columns.has(name) && selected === true);
}

/** PostgreSQL's own code (SQLSTATE) of an error that came through Prisma; undefined where it is no error of a statement. */
export function sqlStateOf(error: unknown): string | undefined {
  const { meta } = Object(error) as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };
  const code = meta?.driverAdapterError?.cause?.originalCode;
  return typeof code === 'string' ? code : undefined;
}

/** The SQLSTATE of an error that Prisma passed on; undefined if it is not an error of a statement. */
export function sqlStateOf(error: unknown): string | undefined {
  const { meta } = Object(error) as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };
  const code = meta?.driverAdapterError?.cause?.originalCode;
  return typeof code === 'string' ? code : undefined;
}

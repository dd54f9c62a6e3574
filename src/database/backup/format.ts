/**
 * The format of a backup, version 1: UTF-8 text, compressed by gzip or zstd, so that `zcat` and `zstd -dc` print it. Its lines are
 * JSON, except for the rows of a table, which are those of COPY's text format and end with `\.`, as in a dump of `pg_dump`. That
 * format is the same in all versions of PostgreSQL. Row counts and digests follow the rows, and the last line has the digest of
 * all JSON before it, so that nothing can be missing or changed unnoticed.
 */
import { z } from 'zod';

export const formatName = 'skein-backup';
export const formatVersion = 1;

/** Ends the rows of a table. COPY writes a backslash within a row as two. */
export const endOfRows = Buffer.from('\\.\n');

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const identifier = z.string().regex(/^[a-z_][a-z0-9_]*$/);

/** What every version of the format begins with. */
export const anyHeader = z.object({ format: z.literal(formatName), version: z.number(), skein: z.string() });

export const header = anyHeader.extend({
  postgres: z.string(),
  /** The time of the snapshot. */
  takenAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: identifier, columns: z.array(identifier) })),
});
export type Header = z.infer<typeof header>;

/** Before the rows of a table. */
export const tableStart = z.object({ table: identifier });

/** After the rows of a table. */
export const tableEnd = z.object({ rows: z.number(), digest });
export type TableEnd = z.infer<typeof tableEnd>;

export const sequences = z.object({
  sequences: z.array(z.object({ name: identifier, value: z.string().regex(/^\d+$/), called: z.boolean() })),
});
export type Sequences = z.infer<typeof sequences>['sequences'];

export const end = z.object({ end: digest });

/**
 * The embedded database cannot be used and a person must act. The message tells what is wrong and what to do, and is
 * printed without a stack trace.
 */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/**
 * Explains PostgreSQL's output at a failed start. The last lines are always included, so that they can be searched for.
 */
export function explainStartFailure(output: string, clusterDir: string): DatabaseStartError {
  const known = explanations.find(({ pattern }) => pattern.test(output));
  const lines = output.trim().split('\n').slice(-6).join('\n');
  const reason = known?.advice ?? 'Its last words are below; the whole log is in the folder "log" of that directory.';
  return new DatabaseStartError(`PostgreSQL did not start on ${clusterDir}. ${reason}\n${lines}`);
}

/** Whether the failure is temporary: children of a killed server still hold its shared memory or lock. */
export function isLeftoverFailure(output: string): boolean {
  return /pre-existing shared memory block|lock file ".*" already exists|is another postmaster|could not bind/i.test(
    output,
  );
}

const explanations = [
  {
    pattern: /could not look up effective user ID/i,
    advice:
      'The account that runs Skein has no entry in /etc/passwd, and PostgreSQL needs one: add it, run Skein as another account, ' +
      'or set DATABASE_URL to a PostgreSQL server.',
  },
  {
    pattern: /no space left on device|disk quota exceeded|could not extend file|could not resize shared memory/i,
    advice: 'The disk is full. Free some space there, then start again: committed data is safe.',
  },
  {
    pattern: /could not map anonymous shared memory|cannot allocate memory/i,
    advice: 'The machine has too little memory. Set DATABASE_MEMORY to less.',
  },
  {
    pattern: /invalid checkpoint record|could not locate a valid checkpoint|invalid data in file|checksum/i,
    advice: 'The files are damaged. Restore a backup; keep the damaged directory until that is done.',
  },
  {
    pattern: /permission denied|has wrong ownership|invalid permissions/i,
    advice: 'Some of its files belong to another account. Run Skein as the account that owns them, or chown them.',
  },
];

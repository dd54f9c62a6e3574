/**
 * The settings that Skein relies on, given on the server's command line so that no configuration file can change them. The
 * log has one file a weekday, overwritten a week later.
 */
export function serverSettings(options: {
  /** False only for throwaway databases of tests: commits are then not written to the disk, and a crash destroys them. */
  durable: boolean;
  maxConnections: number;
  /** MiB that its sessions share. */
  memory?: number | undefined;
}): Record<string, string> {
  const { durable, maxConnections, memory = 64 } = options;
  const durability = durable ? 'on' : 'off';
  return {
    listen_addresses: '',
    unix_socket_permissions: '0700',
    max_connections: String(maxConnections),
    shared_buffers: `${memory}MB`,
    fsync: durability,
    full_page_writes: durability,
    synchronous_commit: durability,
    logging_collector: 'on',
    log_directory: 'log',
    log_filename: 'postgres-%a.log',
    log_truncate_on_rotation: 'on',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(durable ? {} : { autovacuum: 'off', wal_level: 'minimal', max_wal_senders: '0' }),
  };
}

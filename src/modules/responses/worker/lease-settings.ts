/**
 * Settings of leases and attempts: when a silent worker is replaced, and how often and how long a response is tried.
 */
export interface LeaseSettings {
  /** A run whose lease was not renewed for this long is reclaimed. */
  leaseMs: number;
  heartbeatMs: number;
  /** The polling interval for queued responses and lost runs, in addition to notifications. */
  pollMs: number;
  /** Attempts that viewers may notice: after a lost worker, or an error within the text. */
  maxAttempts: number;
  /** From the claim to the end of the last attempt. */
  deadlineMs: number;
}

/** How long a worker that has started watches for others before it believes that it is the only one. */
export function watchMs({ leaseMs }: LeaseSettings): number {
  return (leaseMs * 5) / 12;
}

/** How long a lease was not renewed if a worker that is the only one may reclaim the run. */
export function abandonedMs({ leaseMs }: LeaseSettings): number {
  return (leaseMs * 8) / 15;
}

/**
 * How long after a heartbeat a worker certainly holds its lease. Less than `abandonedMs`, because a worker that is out of reach
 * of the database does not know whether another one has started.
 */
export function safeLeaseMs({ leaseMs }: LeaseSettings): number {
  return (leaseMs * 9) / 20;
}

/**
 * How long the database may be silent without any worker losing its lease: renewed one heartbeat before that at the earliest, it is
 * renewed again one heartbeat after that, and there is time left to connect.
 */
export function harmlessSilenceMs({ leaseMs }: LeaseSettings): number {
  return leaseMs / 2;
}

/**
 * Settings for another lease: four renewals may fail before it expires, and within it the worker looks for lost responses
 * several times.
 */
export function leaseSettingsOf(times: { leaseMs: number; deadlineMs: number }): LeaseSettings {
  const { leaseMs } = times;
  return { ...defaultLeaseSettings, ...times, heartbeatMs: leaseMs / 5, pollMs: Math.min(1000, leaseMs / 6) };
}

/** Measured: a killed worker is replaced within 5 to 6.9 s, by one that starts alone within 3.9 s, and a stall of 4 s costs nothing. */
export const defaultLeaseSettings: LeaseSettings = {
  leaseMs: 6000,
  heartbeatMs: 1200,
  pollMs: 1000,
  maxAttempts: 3,
  deadlineMs: 1_800_000,
};

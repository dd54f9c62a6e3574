/** The total amount of a resource and the share of each user and organization, in places or bytes. */
export interface Shares {
  total: number;
  perOrganization: number;
  perUser: number;
  /** Maximum number of waiting requests of a user. */
  waitingPerUser: number;
}

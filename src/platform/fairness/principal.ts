/**
 * The user and organization that use a resource. Resources are divided between organizations first, then between their
 * users.
 */
export interface Principal {
  /** The id of the organization or, before it is known, the address. */
  organizationId: number | string;
  userId: string;
}

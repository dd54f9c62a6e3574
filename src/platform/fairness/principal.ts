/**
 * The user and organization that use a resource. Resources are divided between organizations first, then between their
 * users.
 */
export interface Principal {
  organizationId: number;
  userId: string;
}

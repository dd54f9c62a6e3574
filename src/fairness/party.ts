/** On whose behalf something is used: what is shared is divided between organizations first, and then between their users. */
export interface Party {
  organizationId: number;
  userId: string;
}

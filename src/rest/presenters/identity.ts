import type { DataOf } from '../../graphql/document-types/document-types.js';

export const identityFragment = /* GraphQL */ `
  fragment Identity on Identity { sub name email userNumber organizationNumber organizationSlug role }
`;

type IdentityData = DataOf<typeof identityFragment>;

/** The identity object of the specification (Resources, Identity). */
export function presentIdentity(identity: IdentityData) {
  return {
    sub: identity.sub,
    name: identity.name,
    email: identity.email,
    service_user_id: identity.userNumber,
    service_organization_id: identity.organizationNumber,
    service_organization_slug: identity.organizationSlug,
    role: identity.role.toLowerCase(),
  };
}

import type { DataOf } from '../../graphql/document-types/document-types.js';

export const threadFragment = /* GraphQL */ `
  fragment Thread on Thread { id name state isPrivate archived owner { id name } createdAt updatedAt appUrl }
`;

type ThreadData = DataOf<typeof threadFragment>;

/** The thread object of the specification (Resources, Thread). */
export function presentThread(thread: ThreadData) {
  return {
    id: thread.id,
    name: thread.name,
    state: thread.state.toLowerCase(),
    is_private: thread.isPrivate,
    archived: thread.archived,
    owner: { id: thread.owner.id, name: thread.owner.name },
    created_at: thread.createdAt,
    updated_at: thread.updatedAt,
    app_url: thread.appUrl,
  };
}

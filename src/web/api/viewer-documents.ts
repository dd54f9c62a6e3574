/** Who the viewer is, which every view waits for. */
import { graphql } from './graphql.js';

export const meQuery = graphql(`
  query Me {
    me {
      sub
      name
      email
      role
      organizationSlug
      organizationName
      newThreadsArePrivate
    }
    models {
      id
      label
      isDefault
    }
  }
`);

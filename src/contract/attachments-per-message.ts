/** How many attachments a message has at most, as the GraphQL API states and checks it. */
export const maximumAttachments = 10;

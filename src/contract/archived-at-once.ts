/** How many threads one mutation archives or unarchives. */
export const maximumArchived = 100;

/** How many items a page has, in both APIs and the web application (specification, Limits). */
export const defaultPageSize = 50;
export const maximumPageSize = 200;

/** The maximum, as the descriptions of both APIs state it. */
export const clampedPageSize = `Values above ${maximumPageSize} are clamped to ${maximumPageSize}.`;

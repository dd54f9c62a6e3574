/** A scrollable element must be reachable by keyboard. */
export const scrollable = { tabIndex: 0 };

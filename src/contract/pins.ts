/** How many of the threads that a person can see they may have pinned. */
export const maximumPins = 50;

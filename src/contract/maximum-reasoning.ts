/** How many characters of what the model thinks are stored with its answer. */
export const maximumReasoning = 200_000;

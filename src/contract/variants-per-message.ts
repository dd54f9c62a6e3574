/** How often a message can be edited or sent again, the first time included. */
export const maximumVariants = 100;

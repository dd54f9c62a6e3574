/** How many models a service may offer. */
export const maximumModels = 50;

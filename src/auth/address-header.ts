/** The header in which the address of the caller comes; whatever a caller sends under this name is overwritten. */
export const addressHeader = 'x-skein-address';

/**
 * The request header that passes the caller's IP address to the sign-in library. A value sent by the caller is
 * overwritten.
 */
export const addressHeader = 'x-skein-address';

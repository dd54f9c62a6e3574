/** The length of a password in UTF-16 code units, on the page of a link and in the web application. */
export const passwordLength = { min: 12, max: 128 } as const;

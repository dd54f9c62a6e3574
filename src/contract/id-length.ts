/** Maximum length of an id that callers send, in characters. Ids of the service have thirty; a longer one matches nothing. */
export const maximumIdLength = 255;

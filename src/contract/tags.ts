/** The tags of threads: how many and how long, and when two are the same, for the service and the web application. */

/** How many tags a thread has at most. */
export const maximumTags = 10;
/** How long a tag is at most, in characters (Unicode code points). */
export const maximumTagLength = 40;
/** How many of the tags in use are listed at most. */
export const maximumTagsInUse = 100;

/**
 * What tags are compared by: without case, compatibility forms, invisible characters and the width of white space. "Q3  Budget"
 * and "q3 budget" are the same tag, and so are "Straße" and "STRASSE". For texts as short as tags: `normalize` takes time with
 * the square of a run of combining marks.
 */
export function tagKey(tag: string): string {
  const visible = tag.replace(/\p{Default_Ignorable_Code_Point}+/gu, '').normalize('NFKC');
  // Through upper case, which has no ß and no second sigma.
  return tidyTag(visible.toLowerCase().toUpperCase().toLowerCase());
}

/** A tag as it is stored: composed, trimmed, and with one space for each run of white space. */
export function tidyTag(tag: string): string {
  return tag.normalize('NFC').replace(/\s+/g, ' ').trim();
}

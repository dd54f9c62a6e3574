/**
 * Names of files from names that people and models wrote. What a file system refuses or a shell would read otherwise is left out:
 * separators, control characters and those that change the direction of the text, dots at either end, and the names of devices.
 */
import { cleanText } from '../../ui/display-name.js';

/** The joiners stay, which Persian and the languages of India are written with, and families of emoji. */
const unsafe = /(?:[\\/:*?"<>|\p{Cc}\p{Cs}\p{Co}]|(?![\u200c\u200d])\p{Cf})+/gu;
const deviceName = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** At most 240 bytes in UTF-8, since file systems allow 255. */
const longest = 60;

export function safeFileName(name: string, ending: string): string {
  const words = cleanText(name).replace(unsafe, ' ').replace(/\s+/g, ' ');
  const short = Array.from(trimmed(words)).slice(0, longest).join('');
  const base = trimmed(short) || 'thread';
  return `${deviceName.test(base) ? '_' : ''}${base}.${ending}`;
}

function trimmed(name: string): string {
  return name.replace(/^[\s.~-]+|[\s.]+$/g, '');
}

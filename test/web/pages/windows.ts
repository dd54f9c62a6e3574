/** The windows in which every page must look right: a phone, the same on its side, a laptop and a wide desktop. */
import type { View } from '../browser.js';

export const windows = {
  phone: { width: 390, height: 844, isTouch: true },
  sideways: { width: 844, height: 390, isTouch: true },
  laptop: { width: 1280, height: 800 },
  desktop: { width: 1920, height: 1080 },
} satisfies Record<string, View>;

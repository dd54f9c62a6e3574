/** What is painted in the window, whatever the styles say. */
import { inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** The colour of a pixel of the window. */
export async function pixel(page: Page, x: number, y: number): Promise<string> {
  const picture = await page.screenshot({ clip: { x, y, width: 1, height: 1 } });
  const line = inflateSync(Buffer.concat(imageDataOf(picture)));
  // After the filter, which changes nothing at the first pixel of a picture.
  return line.subarray(1, 4).join(' ');
}

/** The parts of a PNG file that hold its pixels. Each has its length and its kind before it, and a checksum after it. */
function imageDataOf(png: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, end));
    at = end + 4;
  }
  return parts;
}

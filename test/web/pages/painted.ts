/** What is painted in the window, whatever the styles say. */
import { inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';

/** The colour of a pixel of the window. */
export async function pixel(page: Page, x: number, y: number): Promise<string> {
  const [only = ''] = await pixels(page, { x, y, width: 1 });
  return only;
}

/** The colours of pixels that stand side by side, from the left. */
export async function pixels(page: Page, row: { x: number; y: number; width: number }): Promise<string[]> {
  const picture = await page.screenshot({ clip: { ...row, height: 1 } });
  // The header says of what kind the colours are: of three bytes, or of four with their opacity.
  const size = picture.readUInt8(25) === 6 ? 4 : 3;
  const [filter = 0, ...bytes] = inflateSync(Buffer.concat(imageDataOf(picture)));
  // Nothing is above the first row, so that two of the five filters leave it as it is, and two add the byte to the left.
  const parts = { 0: 0, 1: 1, 2: 0, 3: 0.5, 4: 1 }[filter] ?? Number.NaN;
  bytes.forEach((byte, index) => {
    bytes[index] = (byte + Math.floor((bytes[index - size] ?? 0) * parts)) % 256;
  });
  return Array.from({ length: row.width }, (_, index) => bytes.slice(index * size, index * size + 3).join(' '));
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

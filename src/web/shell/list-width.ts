/** How wide the list of threads is beside the page, and whether it is there at all. Kept on the device. */
import { atom } from 'nanostores';
import { useSyncExternalStore } from 'react';

export interface ListWidth {
  px: number;
  isCollapsed: boolean;
}

export const narrowestPx = 224;
export const widestPx = 480;
const usual: ListWidth = { px: 304, isCollapsed: false };

const key = 'skein.list';
const width = atom(read());

export function useListWidth(): ListWidth {
  return useSyncExternalStore(width.listen, width.get);
}

/** Keeps what is left out; a width beyond the limits becomes the nearest within. */
export function setListWidth(change: Partial<ListWidth>): void {
  const { px, isCollapsed } = { ...width.get(), ...change };
  width.set({ px: Math.round(Math.min(Math.max(px, narrowestPx), widestPx)), isCollapsed });
  localStorage.setItem(key, JSON.stringify(width.get()));
}

export function resetListWidth(): void {
  setListWidth({ px: usual.px });
}

export function toggleList(): void {
  setListWidth({ isCollapsed: !width.get().isCollapsed });
}

function read(): ListWidth {
  try {
    const { px, isCollapsed }: Partial<ListWidth> = JSON.parse(localStorage.getItem(key) ?? '{}');
    const isKnown = typeof px === 'number' && px >= narrowestPx && px <= widestPx;
    return { px: isKnown ? px : usual.px, isCollapsed: isCollapsed === true };
  } catch {
    // Somebody else wrote it.
    return usual;
  }
}

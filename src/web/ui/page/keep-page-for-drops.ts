/** Where no file can be attached, one that is dropped does nothing: the browser would leave the page to open it. */
export function keepPageForDrops(): void {
  addEventListener('dragover', keep);
  addEventListener('drop', keep);
}

function keep(event: DragEvent): void {
  if (!event.dataTransfer?.types.includes('Files') || event.defaultPrevented) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

/**
 * Offers what this device has as a download: no request is made.
 */

export function downloadText(name: string, text: string): void {
  downloadBlob(name, new Blob([text], { type: 'text/plain' }));
}

/** Without the type of the file: opened instead of stored, a page would run as one of ours. */
export function downloadFile(name: string, file: Blob): void {
  downloadBlob(name, file.slice(0, file.size, 'application/octet-stream'));
}

function downloadBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}

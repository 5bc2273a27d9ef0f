/**
 * Hands a text to the person as a file.
 * For what only this device has: nothing is asked of the server.
 */

/** Saves the text under the name, where the browser keeps downloads. */
export function downloadText(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}

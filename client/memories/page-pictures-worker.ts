// Finds the pictures of a text in the saved page that it was taken from, whose file can have 24 MB.

export interface PictureSearch {
  page: Blob;
  /** Markdown with the addresses of pictures. */
  text: string;
}

/** A picture as a data: URL, and the addresses that it has in the text. */
export interface FoundPicture {
  source: string;
  addresses: string[];
}

/** As the server writes a picture: what it shows, and last the addresses that the page has for it. */
const PICTURE = /src="(data:image\/[\w.+-]+;base64,[^"]+)" data-from="([^"]+)"/g;

async function picturesIn({ page, text }: PictureSearch): Promise<FoundPicture[]> {
  const found = [...(await page.text()).matchAll(PICTURE)].map(([, source = '', from = '']) => ({
    source,
    addresses: from
      .replaceAll(/&(?:amp|#x26);/g, '&')
      .split(' ')
      .filter((address) => text.includes(address)),
  }));
  return found.filter(({ addresses }) => addresses.length > 0);
}

globalThis.addEventListener('message', ({ data }: MessageEvent<PictureSearch>) => {
  void picturesIn(data).then((found) => globalThis.postMessage(found));
});

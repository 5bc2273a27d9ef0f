/** The files of the first list, fetched while a person is still on the way to it. */

let isAsked = false;

/** Requests them once. The document of the application names them; FIRST_LIST_SCRIPT does the same for signed-in people. */
export function fetchFirstList(): void {
  const named = document.querySelector<HTMLMetaElement>('meta[name="first-list"]')?.content ?? '';
  if (isAsked || named === '') return;
  isAsked = true;
  for (const file of named.split(' ')) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  }
}

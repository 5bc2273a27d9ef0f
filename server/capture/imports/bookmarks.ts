// Bookmarks of browsers: the Netscape bookmark file that all of them export.
// See https://learn.microsoft.com/en-us/previous-versions/windows/internet-explorer/ie-developer/platform-apis/aa753582(v=vs.85)
import { Parser } from 'htmlparser2';
import { itemPath, linkItem, timeOf, type ImportFormat, type ItemSource } from './format.ts';
import { folderIn } from './nested-folders.ts';
import { textOf } from './upload.ts';

interface Bookmark {
  href: string;
  title: string;
  description: string;
  added: string | undefined;
  changed: string | undefined;
  tags: string;
  folder: readonly string[];
}

/** The browser's own folders at the top, which no person named. */
const OWN_FOLDER = ['personal_toolbar_folder', 'unfiled_bookmarks_folder'] as const;

/** All bookmarks in their order. The parser works event by event, so the depth of folders does not matter. */
function readBookmarks(page: string): Bookmark[] {
  const found: Bookmark[] = [];
  const lists: (readonly string[])[] = [];
  let folder: readonly string[] = [];
  /** The folder whose list opens next. */
  let next: readonly string[] | undefined;
  let heading: { name: string; isOwn: boolean } | undefined;
  let link: Bookmark | undefined;
  let described: Bookmark | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name !== 'p') described = undefined;
      if (name === 'dl') {
        lists.push(folder);
        folder = next ?? folder;
        next = undefined;
      } else if (name === 'h3') {
        heading = { name: '', isOwn: OWN_FOLDER.some((own) => attributes[own] === 'true') };
      } else if (name === 'dd') described = found.at(-1);
      else if (name === 'a') {
        const { href = '', add_date: added, last_modified: changed, tags = '' } = attributes;
        link = { href, title: '', description: '', added, changed, tags, folder };
        found.push(link);
      }
    },
    ontext(text) {
      if (heading) heading.name += text;
      else if (link) link.title += text;
      else if (described) described.description += text;
    },
    onclosetag(name) {
      if (name === 'dl') folder = lists.pop() ?? [];
      else if (name === 'a') link = undefined;
      else if (name === 'h3' && heading) {
        const { name: given, isOwn } = heading;
        next = isOwn ? folder : folderIn(folder, given);
        heading = undefined;
      }
    },
  });
  parser.write(page);
  parser.end();
  return found;
}

function sourceOf(bookmark: Bookmark): ItemSource {
  const { href, folder, tags } = bookmark;
  const title = bookmark.title.trim() || null;
  return {
    path: itemPath(...folder, title ?? href),
    read: () =>
      linkItem(href, {
        keyed: folder,
        title,
        text: bookmark.description.trim().replaceAll(/[ \t]*\n[ \t]*/g, '\n') || null,
        tags: tags.split(','),
        folders: [folder],
        created: timeOf(bookmark.added),
        updated: timeOf(bookmark.changed),
      }),
  };
}

export const bookmarks: ImportFormat = {
  id: 'bookmarks',
  async sources(_upload, files) {
    const pages = await Promise.all(files.map(textOf));
    return pages.flatMap(({ text }) => readBookmarks(text).map(sourceOf));
  },
};

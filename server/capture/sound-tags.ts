// The tags of a sound file: who made it, what it belongs to, its chapters, its words and its cover.
import { parseBuffer, selectCover, type IAudioMetadata, type IChapter } from 'music-metadata';
import { fileKind, pictureKindOf } from '#shared/capture/file-kinds.ts';
import { lengthText } from '#shared/capture/length-text.ts';
import type { FileSource, FoundText } from './file-source.ts';
import { checkPicture, thumbnailOf } from './picture.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** @throws UnreadableFile where it is not a file of its kind */
export async function readSound({ kind, bytes }: FileSource): Promise<FoundText> {
  const options = { duration: true, includeChapters: true };
  let found: IAudioMetadata;
  try {
    found = await parseBuffer(bytes, fileKind(kind).mediaType, options);
  } catch {
    throw new UnreadableFile('The tags of this sound file are damaged.');
  }
  const { common, format } = found;
  const thumbnail = await coverOf(found);
  return {
    title: common.title ?? null,
    author: peopleOf(common.artists ?? common.artist),
    language: common.language ?? null,
    text: textOf(found),
    ...(format.duration !== undefined && { seconds: Math.round(format.duration) }),
    ...(thumbnail !== undefined && { thumbnail }),
  };
}

/** Undefined also for a damaged cover, because the sound is what was saved. */
async function coverOf({ common }: IAudioMetadata): Promise<string | undefined> {
  const cover = selectCover(common.picture);
  const kind = cover === null ? undefined : pictureKindOf(cover.format);
  if (cover === null || kind === undefined) return undefined;
  try {
    const { open } = await checkPicture({ kind, bytes: cover.data });
    return await thumbnailOf(open);
  } catch {
    return undefined;
  }
}

function peopleOf(names: readonly string[] | string | undefined): string | null {
  const list = typeof names === 'string' ? [names] : (names ?? []);
  return list.length === 0 ? null : [...new Set(list)].join(', ');
}

/** Markdown, so that the sound is found and quoted by it; empty without tags. */
function textOf({ common, format }: IAudioMetadata): string {
  const { track, album, date, year } = common;
  const facts = [
    ['Artist', peopleOf(common.artists ?? common.artist)],
    ['Album', album],
    ['Track', track.no === null ? null : `${track.no}${track.of === null ? '' : ` of ${track.of}`}`],
    ['Composer', peopleOf(common.composer)],
    ['Genre', peopleOf(common.genre)],
    ['Released', date ?? year],
  ].flatMap(([term, value]) => (value == null ? [] : [`- ${term}: ${value}`]));
  const words = [
    ...(common.description ?? []),
    common.longDescription,
    ...(common.comment ?? []).map(({ text }) => text),
  ];
  const lyrics = (common.lyrics ?? []).map(({ text, syncText }) =>
    (text ?? syncText.map((line) => line.text).join('\n')).trim().replaceAll(/\r?\n/g, '  \n'),
  );
  return [
    facts.join('\n'),
    ...new Set(words),
    section('Chapters', (format.chapters ?? []).map(chapterLine).join('\n')),
    section('Lyrics', lyrics.join('\n\n')),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n');
}

function section(heading: string, text: string): string {
  return text === '' ? '' : `## ${heading}\n\n${text}`;
}

function chapterLine({ title, start, timeScale = 1 }: IChapter): string {
  return `- ${lengthText(start / timeScale)} ${title}`;
}

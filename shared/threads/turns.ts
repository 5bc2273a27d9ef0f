/**
 * The turns of a written conversation: who says a line and when, as in “Nora: …”, “**Nora** (18:02): …”, “[2024-03-04 18:02]
 * Nora: …” or “04.03.24, 18:02 - Nora: …”; and lines that are only a date. Pure; takes plain text without markup.
 */

const TIME = String.raw`\d[\d.:/,T -]{2,24}(?: ?[AaPp][Mm])?`;
const WORD = String.raw`\p{Lu}[\p{L}\p{M}.'’-]{0,30}`;
const TURN = new RegExp(
  String.raw`^(?:[[(]?(?<before>${TIME})[\])]?\s*(?:[-–]\s*)?)?(?<name>${WORD}(?: ${WORD}){0,2})(?:\s*[[(](?<after>${TIME})[\])])?:(?:\s|$)`,
  'u',
);
/** Longer beginnings of a line name no speaker. */
const HEAD_LENGTH = 150;
/** Fewer speakers or turns are a label such as “Note:”. */
const LEAST = 2;

const MONTH = String.raw`(?:jan|feb|mar|mär|apr|ma[iy]|june?|jul[iy]?|aug|sep|o[ck]t|nov|de[cz])\p{L}*\.?`;
const DATE_LINE = new RegExp(
  String.raw`^(?:\p{L}{2,12}\.?,? )?(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}(?:\.|st|nd|rd|th)? ${MONTH},? \d{4}|${MONTH} \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?:,? \d{1,2}[:.]\d\d)?:?$`,
  'iu',
);

/** Says when what follows was written, as a heading would. */
export function isDateLine(line: string): boolean {
  return line.length <= 40 && DATE_LINE.test(line);
}

interface Turn {
  name: string;
  /** As it is written; empty without one. */
  time: string;
}

function turnOf(line: string): Turn | undefined {
  const { name, before, after } = TURN.exec(line.slice(0, HEAD_LENGTH))?.groups ?? {};
  return name === undefined ? undefined : { name, time: (before ?? after ?? '').trim() };
}

/** The people who talk in a text; empty where it is no conversation. */
export function speakersIn(lines: Iterable<string>): ReadonlySet<string> {
  const turns = new Map<string, number>();
  for (const line of lines) {
    const name = turnOf(line)?.name;
    if (name !== undefined) turns.set(name, (turns.get(name) ?? 0) + 1);
  }
  const speakers = [...turns].filter(([, count]) => count >= LEAST).map(([name]) => name);
  return new Set(speakers.length >= LEAST ? speakers : []);
}

/** The lines of a paragraph as one text for each turn, with its speaker and time; a single one outside a conversation. */
export function* turnsIn(
  lines: readonly string[],
  speakers: ReadonlySet<string>,
): Generator<{ text: string; by: string }> {
  let [text, by] = ['', ''];
  for (const line of lines) {
    const turn = speakers.size === 0 ? undefined : turnOf(line);
    if (turn !== undefined && speakers.has(turn.name)) {
      if (text !== '') yield { text, by };
      [text, by] = [line, turn.time === '' ? turn.name : `${turn.name}, ${turn.time}`];
    } else text = text === '' ? line : `${text} ${line}`;
  }
  if (text !== '') yield { text, by };
}

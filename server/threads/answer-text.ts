// Sanitizes the output of a language model piece by piece: references to passages become numbered sources, invalid references
// are left out, and links and images become plain text. Readers see the same text that is stored.
import type { Citation } from '#shared/threads/citation.ts';

/** A passage in the prompt of the model; its number is its position in the list, from 1. */
export type GivenPassage = Citation & { quote: string };

const REFERENCE = /([ \t]?)\\?\[[ \t]{0,3}(\d{1,3}(?:[ \t]{0,3}[,;][ \t]{0,3}\d{1,3}){0,9})[ \t]{0,3}\\?\]/g;
/** An incomplete end that needs the next piece: a reference, or a character of two code units. */
const UNDECIDED = /(?:[ \t]?\\?(?:\[[\d,; \t\\]{0,100}\]?)?|[\ud800-\udbff])$/;
/** The parts of Markdown that make a link or an image of brackets, inline or by reference. */
const LINK_JOINT = /\](?=[(:])/g;
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

export class AnswerText {
  readonly #passages: readonly GivenPassage[];
  readonly #cited: GivenPassage[] = [];
  readonly #limit: number;
  #open = '';
  #text = '';

  constructor(passages: readonly GivenPassage[], limit: number) {
    this.#passages = passages;
    this.#limit = limit;
  }

  /** Adds what the model wrote next; what cannot be decided yet waits. */
  push(piece: string): void {
    this.#open += cut(piece, this.#limit).replace(CONTROLS, '');
    const end = UNDECIDED.exec(this.#open)?.index ?? this.#open.length;
    this.#take(this.#open.slice(0, end));
    this.#open = this.#open.slice(end);
  }

  /** Adds what waits. */
  end(): void {
    this.#take(this.#open);
    this.#open = '';
  }

  get isFull(): boolean {
    return this.#text.length >= this.#limit;
  }

  /** As Markdown; only ever grows. */
  get text(): string {
    return this.#text;
  }

  /** The passages that the text refers to, in the order of their numbers there. */
  get citations(): Citation[] {
    return this.#cited.map(({ memoryId, quote }) => ({ memoryId, quote }));
  }

  #take(ready: string): void {
    const written = ready
      .toWellFormed()
      .replace(REFERENCE, (_reference, space: string, numbers: string) => {
        const marks = numbers.split(/[,;]/).map((number) => this.#mark(Number(number)));
        return marks.some((mark) => mark !== '') ? space + [...new Set(marks)].join('') : '';
      })
      .replace(LINK_JOINT, ']\\');
    const isJoint = this.#text.endsWith(']') && /^[(:]/.test(written);
    this.#text = cut(`${this.#text}${isJoint ? '\\' : ''}${written}`, this.#limit);
  }

  /** The number of a passage among the sources, as Markdown; empty for a passage that there is not. */
  #mark(number: number): string {
    const passage = this.#passages[number - 1];
    if (passage === undefined) return '';
    if (!this.#cited.includes(passage)) this.#cited.push(passage);
    return `\\[${this.#cited.indexOf(passage) + 1}\\]`;
  }
}

/** Never cuts a surrogate pair. */
function cut(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}

// The bytes of a text file as text. Most are UTF-8 by now; those of older editors are UTF-16 with a mark at the start, or
// Windows-1252. Nothing is guessed silently: a possible error is described in a remark.

/** A text, with a remark when it should be checked. */
export interface FileText {
  text: string;
  remark?: string;
}

/** Characters that no text contains: controls other than tab, line breaks and form feed. */
const CONTROL = /(?![\t\n\r\f])\p{Cc}/u;
const BEYOND_ASCII = /[^\p{ASCII}\ufffd]/gu;
const UNREADABLE = '\ufffd';

function strictly(encoding: 'utf-8' | 'utf-16le' | 'utf-16be', bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // The decoder throws for bytes in another encoding.
    return undefined;
  }
}

function markedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** UTF-8 with a few damaged bytes: more characters beyond ASCII can be read than not. */
function damagedUtf8(bytes: Uint8Array): FileText | undefined {
  const text = new TextDecoder('utf-8').decode(bytes);
  const lost = text.split(UNREADABLE).length - 1;
  const read = text.match(BEYOND_ASCII)?.length ?? 0;
  if (read <= lost || CONTROL.test(text)) return undefined;
  const many = lost === 1 ? '1 place of it is' : `${lost} places of it are`;
  return { text, remark: `${many} damaged and could not be read; look for “${UNREADABLE}”` };
}

/** Undefined for bytes that are no text. */
export function readFileText(bytes: Uint8Array): FileText | undefined {
  const utf16 = markedUtf16(bytes);
  const text = strictly(utf16 ?? 'utf-8', bytes);
  // UTF-8 may contain control characters; a UTF-16 mark also starts many binary files, so there they rule it out.
  if (text !== undefined && (utf16 === undefined || !CONTROL.test(text))) return { text };
  const damaged = damagedUtf8(bytes);
  if (damaged) return damaged;
  const western = new TextDecoder('windows-1252').decode(bytes);
  if (CONTROL.test(western)) return undefined;
  return {
    text: western,
    remark: 'It is not in UTF-8 and was read as Windows-1252; look at letters with accents',
  };
}

// Allow-list of a snapshot: text, its structure and pictures. Everything else is unwrapped or removed, elements that are
// invented later included.
import type { Schema } from 'hast-util-sanitize';

/** Content security policy of a snapshot, in the file itself and in the responses that serve it. */
export const SNAPSHOT_POLICY =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; form-action 'none'; base-uri 'none'";

export const SNAPSHOT_SCHEMA: Schema = {
  tagNames: [
    ...'body div span p a img picture br hr wbr h1 h2 h3 h4 h5 h6'.split(' '),
    ...'article section nav aside header footer main address hgroup search'.split(' '),
    ...'ul ol li dl dt dd figure figcaption blockquote pre details summary'.split(' '),
    ...'table caption colgroup col thead tbody tfoot tr th td'.split(' '),
    ...'b i u s em strong small mark del ins sub sup cite q dfn'.split(' '),
    ...'abbr code kbd samp var time data bdi bdo ruby rb rt rp rtc'.split(' '),
    ...'center font tt big strike label fieldset legend'.split(' '),
  ],
  attributes: {
    '*': [
      ...'id className style title lang dir role hidden width height align vAlign'.split(' '),
      ...'bgColor color size face border cellPadding cellSpacing ariaLabel ariaHidden'.split(' '),
      ...'ariaLabelledBy ariaDescribedBy ariaLevel itemProp itemScope itemType noWrap'.split(' '),
    ],
    a: ['href', 'target', 'rel', 'name', 'hrefLang', 'dataLeftOut'],
    span: ['dataLeftOut'],
    img: ['src', 'alt', 'loading', 'decoding', 'dataFrom'],
    td: ['colSpan', 'rowSpan', 'headers'],
    th: ['colSpan', 'rowSpan', 'headers', 'scope', 'abbr'],
    col: ['span'],
    colgroup: ['span'],
    ol: ['start', 'reversed', 'type'],
    ul: ['type'],
    li: ['value', 'type'],
    time: ['dateTime'],
    data: ['value'],
    del: ['dateTime', 'cite'],
    ins: ['dateTime', 'cite'],
    details: ['open'],
    font: ['color', 'size', 'face'],
  },
  protocols: { href: ['http', 'https', 'mailto'], src: ['data'], cite: ['http', 'https'] },
  strip: [
    ...'script style link meta base title template iframe frame frameset noframes'.split(' '),
    ...'object embed applet param audio video source track canvas map svg'.split(' '),
    ...'annotation annotation-xml input textarea select datalist option output progress'.split(' '),
    ...'meter dialog portal fencedframe plaintext xmp noembed listing'.split(' '),
  ],
  ancestors: {
    tbody: ['table'],
    td: ['table'],
    th: ['table'],
    thead: ['table'],
    tfoot: ['table'],
    tr: ['table'],
  },
  required: {},
  clobber: [],
};

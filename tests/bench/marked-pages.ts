/**
 * A hundred pages whose article is known: the project's own notes as articles in seventeen layouts such as the web has them,
 * with what stands around an article there. Written before the extraction was measured on them. The same in every run.
 */
import { parseHTML } from 'linkedom';
import { createParser } from '#shared/markdown/parser.ts';
import { corpusNotes } from '../support/note-corpus.ts';

export interface MarkedPage {
  url: string;
  html: string;
  /** Text of the article, without its headline. */
  article: string;
}

const PAGES = 100;
/** Notes of one article: about 350 words. */
const SECTIONS = 7;

const parser = createParser();
const notes = corpusNotes().map(({ title, notes: text }) => {
  const html = parser.render(text ?? '');
  const { document } = parseHTML(`<html><body>${html}</body></html>`);
  return { title: title ?? 'Note', html, text: document.body.textContent };
});
type Note = (typeof notes)[number];

interface Parts {
  headline: string;
  /** The sections of the article, each an HTML fragment. */
  sections: readonly string[];
  /** Notes that stand around it. */
  others: readonly Note[];
  n: number;
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const link = ({ title }: Note) => `<a href="/${encodeURIComponent(title)}">${escape(title)}</a>`;
const teaser = (note: Note) =>
  `<div class="teaser"><h3>${link(note)}</h3><p>${escape(note.text.slice(0, 110))}…</p></div>`;
const list = (items: readonly string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

const MENU = `<nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/news">News</a></li><li><a href="/life">Life</a></li><li><a href="/shop">Shop</a></li><li><a href="/contact">Contact</a></li></ul></nav>`;
const FOOTER = `<footer><p>© 2026 The Harbour Post. All rights reserved.</p><ul><li><a href="/imprint">Imprint</a></li><li><a href="/privacy">Privacy policy</a></li><li><a href="/terms">Terms of use</a></li><li><a href="/jobs">Jobs</a></li></ul></footer>`;
const NEWSLETTER = `<form class="newsletter"><h3>Never miss a story</h3><p>Get our letter every Friday, free of charge. You can leave at any time.</p><input type="email"><button>Sign up</button></form>`;
const SHARE = `<div class="share"><span>Share this</span><a href="#f">Facebook</a><a href="#x">X</a><a href="#m">E-mail</a><button>Copy link</button></div>`;
const COOKIES = `<div id="cookie-consent" role="dialog"><h2>We value your privacy</h2><p>We and our 843 partners store and access information on your device to show advertising that is made for you and to measure it. You can change your choice at any time.</p><button>Accept all</button><button>Manage options</button></div>`;
const AD = `<div class="ad-slot"><span>Advertisement</span><a href="https://ads.example/"><img src="/ad.png" alt="Half price this week only"></a></div>`;

const related = ({ others }: Parts, title = 'Read more') =>
  `<section class="related"><h2>${title}</h2>${others.slice(0, 5).map(teaser).join('')}</section>`;
const comments = ({ others }: Parts, most = 6) =>
  `<section id="comments"><h2>${most} comments</h2>${others
    .slice(5, 5 + most)
    .map(
      ({ text }, index) =>
        `<div class="comment"><b>reader${index}</b> <time>3 May</time><p>${escape(text.slice(0, 220))}</p><a href="#reply">Reply</a></div>`,
    )
    .join('')}<form><textarea></textarea><button>Post comment</button></form></section>`;
const body = ({ sections }: Parts, between = '') => sections.join(between);
const frame = (title: string, inside: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)} | The Harbour Post</title></head><body>${inside}</body></html>`;

/** Each puts the sections of the article, and only them, somewhere among other things. */
const LAYOUTS: readonly ((parts: Parts) => string)[] = [
  // A newspaper.
  (p) =>
    `${MENU}<ol class="breadcrumbs"><li><a href="/">Home</a></li><li><a href="/life">Life</a></li></ol><main><article><header><h1>${p.headline}</h1><p class="byline">By Ada Brook, <time>2 May 2026</time>, 4 min read</p>${SHARE}</header>${p.sections.slice(0, 3).join('')}<aside class="inline-related"><h4>Also interesting</h4>${list(p.others.slice(10, 13).map(link))}</aside>${p.sections.slice(3).join('')}</article>${NEWSLETTER}${related(p)}</main>${FOOTER}`,
  // A blog with a side column.
  (p) =>
    `<div id="header"><h1><a href="/">A quiet corner</a></h1>${MENU}</div><div id="wrap"><div class="post hentry"><h2 class="entry-title">${p.headline}</h2><div class="entry-content">${body(p)}</div><div class="post-meta">Filed under ${list([`<a href="/t">Notes</a>`])} ${SHARE}</div></div><div id="sidebar"><h3>About me</h3><p>I write about bread, gardens and databases, and about what they have in common, most weeks.</p><h3>Recent posts</h3>${list(p.others.slice(0, 8).map(link))}<h3>Archive</h3>${list(Array.from({ length: 12 }, (_, month) => `<a href="/${month}">Month ${month + 1} (${month + 3})</a>`))}</div></div>${comments(p)}${FOOTER}`,
  // Documentation.
  (p) =>
    `<header>${MENU}<input placeholder="Search the docs"></header><div class="layout"><nav class="tree">${list(p.others.map(link))}</nav><main><div class="markdown-body"><h1>${p.headline}</h1>${body(p)}</div><div class="feedback"><p>Was this page helpful?</p><button>Yes</button><button>No</button></div><nav class="pager"><a href="/prev">← Previous</a><a href="/next">Next →</a></nav></main><aside class="toc"><h5>On this page</h5>${list(p.sections.map((_, index) => `<a href="#s${index}">Part ${index + 1}</a>`))}</aside></div>${FOOTER}`,
  // Class names that say nothing.
  (p) =>
    `<div class="css-1a2b"><div class="css-9x"><div class="css-77">${MENU}</div></div><div class="css-q3"><div class="css-z1"><div class="css-t0"><span>${p.headline}</span></div><div class="css-b8">${p.sections.map((part) => `<div class="css-k${p.n}">${part}</div>`).join('')}</div></div><div class="css-r5">${p.others.slice(0, 4).map(teaser).join('')}</div></div><div class="css-f9">${FOOTER}</div></div>`,
  // An encyclopedia.
  (p) =>
    `<div id="mw-panel">${MENU}${list(p.others.slice(0, 6).map(link))}</div><div id="content"><h1 id="firstHeading">${p.headline}</h1><div id="mw-content-text"><table class="infobox"><tr><th colspan="2">${p.headline}</th></tr><tr><td>First seen</td><td>1874</td></tr><tr><td>Kind</td><td>Practice</td></tr></table><div id="toc"><h2>Contents</h2>${list(p.sections.map((_, index) => `<a href="#${index}">${index + 1} Part</a>`))}</div>${p.sections.map((part) => part.replace('</h2>', '<span class="mw-editsection">[<a href="/edit">edit</a>]</span></h2>')).join('')}<div class="navbox"><table><tr><td>${list(p.others.slice(6, 14).map(link))}</td></tr></table></div></div><div id="catlinks">Categories: ${list([`<a href="/c">Practices</a>`, `<a href="/d">Living</a>`])}</div></div>${FOOTER}`,
  // A newsletter made of tables.
  (p) =>
    `<table width="100%"><tr><td align="center"><table width="600"><tr><td><a href="/web">View in browser</a></td></tr><tr><td><h1>${p.headline}</h1></td></tr>${p.sections.map((part) => `<tr><td style="padding:12px">${part}</td></tr>`).join('')}<tr><td><small>You get this letter because you signed up at harbour.example. <a href="/u">Unsubscribe</a> or <a href="/p">change how often it comes</a>.</small></td></tr></table></td></tr></table>`,
  // A banner in front of everything.
  (p) =>
    `${COOKIES}${MENU}<div class="page"><h1>${p.headline}</h1><div class="article-body">${body(p)}</div>${related(p, 'You may also like')}</div>${FOOTER}${COOKIES.replace('cookie-consent', 'cookie-consent-2')}`,
  // More comments than text.
  (p) =>
    `${MENU}<article class="post"><h1>${p.headline}</h1><div class="content">${body(p)}</div></article>${comments(p, 30)}${FOOTER}`,
  // Advertisements between the paragraphs.
  (p) =>
    `${MENU}<main id="main"><h1>${p.headline}</h1><div class="story">${body(p, AD)}</div><a class="next-page" href="?page=2">Next page</a>${NEWSLETTER}</main>${FOOTER}`,
  // A course with buttons at its code.
  (p) =>
    `<header>${MENU}</header><div class="lesson"><aside><h4>Lessons</h4>${list(p.others.slice(0, 15).map(link))}</aside><section class="lesson-content"><h1>${p.headline}</h1>${p.sections.map((part) => part.replaceAll('</pre>', '</pre><button class="copy">Copy</button>')).join('')}<div class="progress"><p>You have completed 3 of 12 lessons.</p><button>Mark as done</button></div></section></div>${FOOTER}`,
  // A long read with its best sentences pulled out.
  (p) =>
    `${MENU}<article class="longread"><h1>${p.headline}</h1><div class="prose">${p.sections.map((part, index) => (index % 3 === 1 ? `<aside class="pullquote"><p>${escape(p.others[index]?.text.slice(0, 90) ?? '')}</p></aside>${part}` : part)).join('')}</div><div class="author-box"><img src="/ada.jpg" alt="Ada"><h4>Ada Brook</h4><p>Ada writes about slow things. She lives beside the harbour with two cats and far too many notebooks.</p></div></article>${related(p, 'More long reads')}${FOOTER}`,
  // No paragraphs.
  (p) =>
    `<center><font size="5"><b>${p.headline}</b></font><br>[<a href="/">home</a>] [<a href="/links">links</a>] [<a href="/guestbook">guestbook</a>]</center><hr><font face="Times">${p.sections.map((part) => part.replaceAll(/<p>/g, '').replaceAll('</p>', '<br><br>')).join('')}</font><hr><center><small>You are visitor number 48,201. Best viewed with any browser.</small></center>`,
  // Things that are not seen.
  (p) =>
    `<a class="skip-link" href="#main">Skip to content</a>${MENU}<div id="main"><h1>${p.headline}</h1><div class="text">${body(p)}</div><div style="display:none" class="print-only">${p.others
      .slice(0, 3)
      .map(({ html }) => html)
      .join(
        '',
      )}</div><noscript><p>Please turn on JavaScript to see the map and the comments of this page.</p></noscript></div>${FOOTER}`,
  // A university.
  (p) =>
    `<div class="top">${MENU}</div><table class="layout"><tr><td class="left" width="200">${list(p.others.slice(0, 9).map(link))}</td><td class="middle"><div id="content"><h1>${p.headline}</h1>${body(p)}</div></td><td class="right"><div class="box"><h3>Contact</h3><p>Department of Practical Things, Room 214. Office hours on Tuesdays from two to four.</p></div><div class="box"><h3>Deadlines</h3><table><tr><td>1 March</td><td>Papers</td></tr><tr><td>4 June</td><td>Exams</td></tr></table></div></td></tr></table>${FOOTER}`,
  // A guide in a shop.
  (p) =>
    `${MENU}<div class="guide"><h1>${p.headline}</h1>${p.sections.slice(0, 4).join('')}<div class="product-carousel"><h3>Customers also bought</h3>${p.others
      .slice(0, 6)
      .map(
        (note, index) =>
          `<div class="product"><a href="/p${index}"><img src="/p${index}.jpg" alt=""></a><a href="/p${index}">${escape(note.title)}</a><span>€ ${index * 7 + 9}.90</span><button>Add to basket</button></div>`,
      )
      .join(
        '',
      )}</div>${p.sections.slice(4).join('')}</div><div class="reviews"><h3>What customers say</h3>${p.others
      .slice(20, 24)
      .map(({ text }) => `<blockquote>${escape(text.slice(0, 140))}</blockquote>`)
      .join('')}</div>${FOOTER}`,
  // One wrapper in the other.
  (p) =>
    `<div><div><div><header>${MENU}</header><div><div><section><div><div class="rich-text"><h1>${p.headline}</h1>${p.sections.map((part) => `<section><div><div>${part}</div></div></section>`).join('')}</div></div></section></div></div></div></div></div>${related(p)}${FOOTER}`,
  // A log of changes with a form for support beside it.
  (p) =>
    `${MENU}<div class="columns"><main class="changelog"><h1>${p.headline}</h1>${body(p, '<hr>')}</main><aside class="support"><h3>Need help?</h3><p>Our team answers within one working day. Please have your order number at hand when you write to us.</p><form><input><textarea></textarea><button>Send</button></form></aside></div>${FOOTER}`,
];

/** All of them. */
export function markedPages(): MarkedPage[] {
  return Array.from({ length: PAGES }, (_, n) => {
    const own = Array.from(
      { length: SECTIONS },
      (_section, k) => notes[(n * 7 + k * 11) % notes.length],
    ).filter((note) => note !== undefined);
    const others = notes.filter((note) => !own.includes(note));
    const turned = [...others.slice(n % others.length), ...others.slice(0, n % others.length)];
    const headline = escape(`${own[0]?.title} and ${own[1]?.title}`);
    const sections = own.map(({ title, html }) => `<h2>${escape(title)}</h2>${html}`);
    const layout = LAYOUTS[n % LAYOUTS.length];
    if (layout === undefined) throw new Error('There is no layout');
    return {
      url: `https://harbour.example/life/${n}`,
      html: frame(headline, layout({ headline, sections, others: turned, n })),
      article: own.map(({ title, text }) => `${title}\n${text}`).join('\n'),
    };
  });
}

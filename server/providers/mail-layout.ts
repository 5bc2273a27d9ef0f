/** The one layout of mails: plain text and HTML from the same parts, readable in dark mode, without remote content. */
import { PRODUCT_NAME } from '#shared/constants.ts';

interface MailLink {
  link: string;
  label: string;
}

interface MailItem {
  title: string;
  text: string;
  link?: string;
}

/** A part of a mail: a paragraph, a code to type, a link to follow, or a list. */
export type MailPart = string | { code: string } | MailLink | { items: readonly MailItem[] };

const STYLES = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  body { margin: 0; padding: 24px 16px; background: #f5f8fa; color: #0f172a; font: 16px/1.5 system-ui, -apple-system, sans-serif; overflow-wrap: anywhere; }
  .mark { max-width: 480px; margin: 0 auto 12px; padding: 0 24px; color: #047857; font: 500 22px/1.2 Newsreader, Georgia, 'Times New Roman', serif; }
  .mark span { display: inline-block; width: 7px; height: 15px; margin-right: 8px; border: solid #047857; border-width: 5px 5px 0; border-radius: 9px 9px 0 0; vertical-align: -2px; }
  main { max-width: 480px; margin: 0 auto; padding: 24px; border-radius: 12px; background: #ffffff; }
  h1 { margin: 0 0 16px; font: 500 24px/1.2 Newsreader, Georgia, 'Times New Roman', serif; }
  p { margin: 0 0 16px; }
  p:last-child, ul:last-child > li:last-child { margin-bottom: 0; }
  .code { font: 600 28px/1.2 ui-monospace, monospace; letter-spacing: 4px; }
  .link { display: inline-block; padding: 10px 16px; border-radius: 8px; background: #047857; color: #ffffff; font-weight: 600; text-decoration: none; }
  .address { color: #5f6e84; font-size: 13px; }
  ul { margin: 0; padding: 0; list-style: none; }
  li { margin: 0 0 16px; }
  li p { margin: 0; }
  a { color: inherit; }
  footer { max-width: 480px; margin: 16px auto 0; padding: 0 24px; color: #5f6e84; font-size: 13px; }
  @media (prefers-color-scheme: dark) {
    body { background: #0a101a; color: #e8eef6; }
    main { background: #141d2b; }
    .mark { color: #45d0a0; }
    .mark span { border-color: #45d0a0; }
    .link { background: #45d0a0; color: #04231a; }
    .address, footer { color: #8595aa; }
  }`;

/** Both forms of a mail with this title and these parts. */
export function layoutMail(
  title: string,
  parts: readonly MailPart[],
  { unsubscribe }: { unsubscribe?: MailLink } = {},
): { subject: string; text: string; html: string } {
  const footer = `Sent by ${PRODUCT_NAME}. Please do not reply to this message.`;
  const text = [title, ...parts.map(asText), footer, ...(unsubscribe ? [asText(unsubscribe)] : [])].join(
    '\n\n',
  );
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLES}</style>
</head>
<body>
<header class="mark"><span></span>${PRODUCT_NAME}</header>
<main>
<h1>${escapeHtml(title)}</h1>
${parts.map(asHtml).join('\n')}
</main>
<footer>${escapeHtml(footer)}${unsubscribe ? `<br>${anchor(unsubscribe)}` : ''}</footer>
</body>
</html>
`;
  return { subject: title, text: `${text}\n`, html };
}

function asText(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('items' in part)
    return part.items
      .map(({ title, text, link }) => [title, text, ...(link === undefined ? [] : [link])].join('\n'))
      .join('\n\n');
  return 'code' in part ? part.code : `${part.label}:\n${part.link}`;
}

function asHtml(part: MailPart): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('code' in part) return `<p class="code">${escapeHtml(part.code)}</p>`;
  if ('items' in part) return `<ul>\n${part.items.map(asListItem).join('\n')}\n</ul>`;
  const href = escapeHtml(part.link);
  return `<p><a class="link" href="${href}">${escapeHtml(part.label)}</a></p>\n<p class="address">Or open this address: <a href="${href}">${href}</a></p>`;
}

function asListItem({ title, text, link }: MailItem): string {
  const head = link === undefined ? escapeHtml(title) : anchor({ link, label: title });
  return `<li><p><strong>${head}</strong></p>\n<p>${escapeHtml(text)}</p></li>`;
}

function anchor({ link, label }: MailLink): string {
  return `<a href="${escapeHtml(link)}">${escapeHtml(label)}</a>`;
}

/** A moment as mails write it: "28 November 2026 at 20:43 UTC". */
export function mailMoment(at: string): string {
  const moment = new Date(at).toLocaleString('en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${moment} UTC`;
}

/** Text that no mail program turns into a link: names in it were chosen by other people. Numbers such as 12:30 stay. */
export function unlinked(text: string): string {
  return text.replace(/(?<!\d)[.:/@\\]+(?=\S)|[.:/@\\]+(?=[^\s\d])/g, ' ').trim();
}

/** Text escaped for HTML, between tags and in attributes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (symbol) => entities[symbol] ?? symbol);
}

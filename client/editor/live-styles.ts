/**
 * How Markdown looks while it is written: headings, emphasis and code as they will be read, with their marks faint. The
 * colours are the tokens of the product, so dark mode and high contrast need nothing here.
 */
import { syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tagHighlighter, tags } from '@lezer/highlight';

const looks = tagHighlighter([
  { tag: tags.heading1, class: 'font-serif text-page' },
  { tag: tags.heading2, class: 'font-serif text-name' },
  { tag: tags.heading3, class: 'font-serif text-name' },
  { tag: [tags.heading4, tags.heading5, tags.heading6, tags.heading], class: 'font-semibold' },
  { tag: tags.strong, class: 'font-semibold' },
  { tag: tags.emphasis, class: 'italic' },
  { tag: tags.strikethrough, class: 'line-through' },
  { tag: tags.link, class: 'text-primary' },
  { tag: [tags.url, tags.labelName, tags.string], class: 'text-ink-faint' },
  { tag: tags.monospace, class: 'font-mono text-code' },
  { tag: tags.quote, class: 'text-ink-muted' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.meta], class: 'text-ink-faint' },
  { tag: [tags.comment, tags.angleBracket], class: 'text-ink-faint' },
  { tag: tags.atom, class: 'cursor-pointer text-primary' },
]);

const frame = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'inherit' },
  '&.cm-focused': { outline: '1px solid var(--primary)', outlineOffset: '4px', borderRadius: '2px' },
  '.cm-scroller': { fontFamily: 'inherit', lineHeight: 'inherit' },
  '.cm-content': { caretColor: 'var(--ink)', minHeight: '12rem', padding: '0' },
  '.cm-line': { padding: '0' },
  '.cm-placeholder': { color: 'var(--ink-faint)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line)',
    borderRadius: '0.4375rem',
    boxShadow: 'var(--shadow-float-value)',
    color: 'var(--ink)',
    overflow: 'hidden',
    zIndex: '60',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'inherit',
    fontSize: '0.875rem',
    maxHeight: '16rem',
    maxWidth: 'min(24rem, 90vw)',
    padding: '0.25rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    borderRadius: '0.25rem',
    lineHeight: '1.25rem',
    overflow: 'hidden',
    padding: '0.375rem 0.5rem',
    textOverflow: 'ellipsis',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--active)',
    color: 'var(--ink)',
  },
  '@media (pointer: coarse)': {
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.75rem 0.5rem' },
  },
  '@media (forced-colors: active)': {
    '.cm-tooltip-autocomplete ul li[aria-selected]': {
      backgroundColor: 'Highlight',
      color: 'HighlightText',
      forcedColorAdjust: 'none',
    },
  },
});

export const liveStyles = [syntaxHighlighting(looks), frame];

// Cuts the dark look out of built styles. Build time only.

/** Text up to the next brace, with strings as a whole: what they hold is no end of a rule. */
const PIECE = /((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^{}"'])*)([{}])/g;
/** `.dark` itself, not the class of a utility such as `.dark\:block`. */
const DARK = /\.dark(?![\w\\-])/;
const BELOW_DARK = /:where\(\.dark, ?\.dark \*\)/g;

/**
 * The rules that apply inside `.dark`, rewritten to apply to the whole document, each in the layers and conditions around it.
 * For visitors without script: with it, a script sets the class.
 */
export function darkRules(css: string): string[] {
  const around: string[] = [];
  const rules: string[] = [];
  for (const [, text = '', brace] of css.matchAll(PIECE)) {
    if (brace === '{') {
      around.push(text.slice(text.lastIndexOf(';') + 1).trim());
      continue;
    }
    const selector = around.at(-1) ?? '';
    if (text.trim() !== '' && DARK.test(selector)) {
      const rule = `${wholeDocument(selector)}{${text.trim()}}`;
      rules.push(around.slice(0, -1).reduceRight((inside, head) => `${head}{${inside}}`, rule));
    }
    around.pop();
  }
  return rules;
}

function wholeDocument(selector: string): string {
  return selector.replaceAll(BELOW_DARK, '').replaceAll(new RegExp(DARK, 'g'), ':root');
}

/**
 * How much of what people marked as the article is in the text of saved pages, and how little else. The pages are those of
 * the article extraction benchmark of Scrapinghub (github.com/scrapinghub/article-extraction-benchmark), whose folder
 * EXTRACTION_PAGES names; they belong to others and are not part of the project. Measured as there: F1 over runs of four
 * words, each page counting alike, and over single words. Beside it plain Readability on the same pages.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Readability } from '@mozilla/readability';
import { toHtml } from 'hast-util-to-html';
import { parseHTML } from 'linkedom';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { z } from 'zod';
import { readPage } from '#server/capture/page-text.ts';
import type { BenchRow } from './bench-row.ts';

const pagesSchema = z.record(z.string(), z.object({ articleBody: z.string(), url: z.string() }));

/** A row for each length of run; none without the pages. */
export async function run(): Promise<BenchRow[]> {
  const folder = process.env['EXTRACTION_PAGES'];
  if (!folder) {
    console.log('EXTRACTION_PAGES names no folder: extraction is not measured.');
    return [];
  }
  const pages = pagesSchema.parse(JSON.parse(readFileSync(path.join(folder, 'ground-truth.json'), 'utf8')));
  const texts: { marked: string; ours: string; theirs: string }[] = [];
  for (const [name, { articleBody, url }] of Object.entries(pages)) {
    const body = gunzipSync(readFileSync(path.join(folder, 'html', `${name}.html.gz`)));
    const { text } = await readPage({ url, mediaType: 'text/html', charset: 'utf-8', body });
    texts.push({
      marked: articleBody,
      ours: wordsOfMarkdown(text ?? ''),
      theirs: readabilityOf(body.toString()),
    });
  }
  return [4, 1].map((length) => {
    const ours = f1Of(texts.map(({ marked, ours: text }) => compare(marked, text, length)));
    const theirs = f1Of(texts.map(({ marked, theirs: text }) => compare(marked, text, length)));
    return {
      id: `extraction ${length}`,
      scenario: `text of ${texts.length} marked pages, F1`,
      subject: { p50: ours, p95: ours },
      reference: { name: 'Readability', p50: theirs, p95: theirs },
      unit: 'F1',
      ratio: theirs / ours,
      target: '<= 1x',
      verdict: ours >= theirs ? 'met' : 'missed',
    };
  });
}

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype, { allowDangerousHtml: true });

function wordsOfMarkdown(text: string): string {
  const html = toHtml(markdown.runSync(markdown.parse(text)), { allowDangerousHtml: true });
  return parseHTML(`<html><body>${html}</body></html>`).document.body.textContent;
}

function readabilityOf(html: string): string {
  const { document } = parseHTML(html);
  return new Readability(document).parse()?.textContent ?? '';
}

interface Shares {
  precision: number | undefined;
  recall: number | undefined;
}

function compare(marked: string, found: string, length: number): Shares {
  const wanted = countRuns(marked, length);
  const got = countRuns(found, length);
  const both = [...wanted].reduce((sum, [run, count]) => sum + Math.min(count, got.get(run) ?? 0), 0);
  const sumOf = (runs: ReadonlyMap<string, number>) =>
    [...runs.values()].reduce((sum, count) => sum + count, 0);
  return {
    precision: got.size === 0 ? undefined : both / sumOf(got),
    recall: wanted.size === 0 ? undefined : both / sumOf(wanted),
  };
}

function countRuns(text: string, length: number): Map<string, number> {
  const words = text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? [];
  const counts = new Map<string, number>();
  for (let at = 0; at < Math.max(1, words.length - length + 1); at += 1) {
    const run = words.slice(at, at + length).join(' ');
    if (run !== '') counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return counts;
}

function f1Of(shares: readonly Shares[]): number {
  const mean = (values: readonly (number | undefined)[]) => {
    const known = values.filter((value) => value !== undefined);
    return known.reduce((sum, value) => sum + value, 0) / known.length;
  };
  const precision = mean(shares.map((share) => share.precision));
  const recall = mean(shares.map((share) => share.recall));
  return (2 * precision * recall) / (precision + recall);
}

/**
 * How much of what is marked as the article is in the text of saved pages, and how little else: on a hundred pages of our own
 * (marked-pages.ts), and on those of the article extraction benchmark of Scrapinghub
 * (github.com/scrapinghub/article-extraction-benchmark), whose folder EXTRACTION_PAGES names; they belong to others and are not
 * part of the project. Measured as there: F1 over runs of four words, each page counting alike, and over single words. Beside
 * it plain Readability on the same pages.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { z } from 'zod';
import { readPage } from '#server/capture/page-text.ts';
import type { BenchRow } from './bench-row.ts';
import { createParser } from '#shared/markdown/parser.ts';
import { markedPages } from './marked-pages.ts';

/** F1 over words on the own pages. */
const OWN_WANTED = 0.96;

const pagesSchema = z.record(z.string(), z.object({ articleBody: z.string(), url: z.string() }));

interface Marked {
  url: string;
  html: Buffer;
  article: string;
}

/** Rows of the project's own pages, and of the others where they are at hand. */
export async function run(): Promise<BenchRow[]> {
  const own = markedPages().map((page) => ({ ...page, html: Buffer.from(page.html) }));
  const rows = await measure('own', own, OWN_WANTED);
  const folder = process.env['EXTRACTION_PAGES'];
  if (folder) return [...rows, ...(await measure('extraction', pagesIn(folder)))];
  console.log('EXTRACTION_PAGES names no folder: only the own pages are measured.');
  return rows;
}

function pagesIn(folder: string): Marked[] {
  const pages = pagesSchema.parse(JSON.parse(readFileSync(path.join(folder, 'ground-truth.json'), 'utf8')));
  return Object.entries(pages).map(([name, { articleBody, url }]) => {
    const html = gunzipSync(readFileSync(path.join(folder, 'html', `${name}.html.gz`)));
    return { url, html, article: articleBody };
  });
}

/** A row for each length of run; `wanted` is the F1 over words that is asked for. */
async function measure(name: string, pages: readonly Marked[], wanted = 0): Promise<BenchRow[]> {
  const texts: { marked: string; ours: string; theirs: string }[] = [];
  for (const { url, html, article } of pages) {
    const { text } = await readPage({ url, mediaType: 'text/html', charset: 'utf-8', body: html });
    const ours = wordsOfMarkdown(text ?? '');
    texts.push({ marked: article, ours, theirs: readabilityOf(html.toString()) });
  }
  return [4, 1].map((length) => {
    const ours = f1Of(texts.map(({ marked, ours: text }) => compare(marked, text, length)));
    const theirs = f1Of(texts.map(({ marked, theirs: text }) => compare(marked, text, length)));
    const isGood = ours >= theirs && (length > 1 || ours >= wanted);
    return {
      id: `${name} ${length}`,
      scenario: `text of ${texts.length} marked pages, F1`,
      subject: { p50: ours, p95: ours },
      reference: { name: 'Readability', p50: theirs, p95: theirs },
      unit: 'F1',
      ratio: theirs / ours,
      target: length === 1 && wanted > 0 ? `<= 1x and F1 >= ${wanted}` : '<= 1x',
      verdict: isGood ? 'met' : 'missed',
    };
  });
}

const parser = createParser();

function wordsOfMarkdown(text: string): string {
  const html = parser.render(text);
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

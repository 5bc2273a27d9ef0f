/** The title of a file that was read: what the person gave, what the file says, else its name. */
import { expect, it } from 'vitest';
import { titleAfterReading } from '#shared/capture/file-title.ts';

it.each([
  ['scan0042', 'scan0042.pdf', 'Annual report', 'Annual report'],
  ['My report', 'scan0042.pdf', 'Annual report', 'My report'],
  ['scan0042', 'scan0042.pdf', null, 'scan0042'],
  ['plan', 'plan.pdf', 'Microsoft Word - plan_final.docx', 'plan'],
  ['plan', 'plan.pdf', 'plan_final.indd', 'plan'],
  ['talk', 'talk.pptx', 'PowerPoint Presentation', 'talk'],
  ['plan', 'plan.docx', 'Document1', 'plan'],
  [null, null, 'A page', 'A page'],
  ['A link', null, 'A page', 'A link'],
  [null, null, 'Untitled', 'Untitled'],
])('%s of %s, which says %s, is %s', (title, filename, own, expected) => {
  expect(titleAfterReading({ title, filename }, own)).toBe(expected);
});

import { IMPORT_FORMATS } from '#shared/capture/import-formats.ts';
import { AppError } from '#shared/errors.ts';

/** The one answer for what cannot be imported. */
export function unknownExport(): AppError {
  const products = Object.values(IMPORT_FORMATS).map(({ label }) => label);
  return new AppError(
    'invalid',
    `file: This file cannot be imported. Exports of these can: ${products.slice(0, -1).join(', ')} and ${products.at(-1)}`,
  );
}

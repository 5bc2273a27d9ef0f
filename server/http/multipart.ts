// Reads multipart/form-data of rows that accept an upload: one JSON part named "payload" and one file named "file", within
// limits. Called only after the caller is known and within the rate, so strangers cannot fill the memory.
import type { Request } from 'express';
import busboy from 'busboy';
import { AppError } from '#shared/errors.ts';
import { plainFileName } from '#shared/define/fields.ts';
import { disarm } from './json-body.ts';

/** An uploaded file, unmodified; the name is only displayed, never used as a path. */
export interface UploadedFile {
  filename: string;
  mediaType: string;
  bytes: Buffer;
}

export interface Multipart {
  payload: unknown;
  file: UploadedFile | undefined;
}

const PAYLOAD_MAX_BYTES = 512 * 1024;

/** @throws invalid for a broken form; too_large past the limit */
export function readMultipart(req: Request, maxFileBytes: number): Promise<Multipart> {
  return new Promise((resolve, reject) => {
    const refuse = (error: AppError) => {
      req.unpipe();
      req.resume();
      reject(error);
    };
    let parser: busboy.Busboy;
    try {
      parser = busboy({
        headers: req.headers,
        defParamCharset: 'utf8',
        limits: { files: 1, fields: 4, fieldSize: PAYLOAD_MAX_BYTES, fileSize: maxFileBytes, parts: 8 },
      });
    } catch {
      refuse(new AppError('invalid', 'body: This form cannot be read'));
      return;
    }
    let payload: unknown = {};
    let file: UploadedFile | undefined;
    parser.on('field', (name, value, info) => {
      if (name !== 'payload') return;
      if (info.valueTruncated) refuse(new AppError('too_large', 'payload: too large'));
      else payload = parsePayload(value, refuse);
    });
    parser.on('file', (name, stream, info) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('limit', () =>
        refuse(new AppError('too_large', `file: larger than ${Math.floor(maxFileBytes / 1024 / 1024)} MB`)),
      );
      stream.on('end', () => {
        if (name !== 'file') return;
        file = {
          filename: plainFileName(info.filename ?? 'upload'),
          mediaType: info.mimeType,
          bytes: Buffer.concat(chunks),
        };
      });
    });
    parser.on('error', () => refuse(new AppError('invalid', 'body: This form is damaged or was cut off')));
    parser.on('close', () => resolve({ payload, file }));
    req.on('aborted', () => refuse(new AppError('invalid', 'body: The upload was cut off')));
    req.pipe(parser);
  });
}

function parsePayload(value: string, refuse: (error: AppError) => void): unknown {
  try {
    const payload: unknown = JSON.parse(value);
    disarm(payload);
    return payload;
  } catch (error) {
    refuse(error instanceof AppError ? error : new AppError('invalid', 'payload: This is not JSON'));
    return {};
  }
}

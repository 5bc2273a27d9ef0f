/**
 * Reads the text of pictures with Tesseract, or with a program that has the same command line. It processes untrusted files, so
 * it gets one picture at a time that this server has drawn itself, hardly any environment, and limits of time, memory and
 * output. It is killed at the limit, with all its child processes.
 */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ConfigError, type Config } from '../config.ts';
import { TIMEOUTS } from '../limits.ts';
import type { Logger } from '../log.ts';

export interface RecognizedText {
  text: string;
  /** How many of the pictures were read before the time was up. */
  pictures: number;
}

export interface TextRecognition {
  /** The text of pictures in PNG, one after the other, within the time limit. Never throws because of their content. */
  read(pictures: readonly Uint8Array[]): Promise<RecognizedText | undefined>;
}

export interface RecognitionLimits {
  /** Milliseconds for all pictures of one file. */
  limitMs: number;
  memoryMb: number;
  /** Bytes that it may write for one picture. */
  outputMax: number;
}

const PRESET = 'tesseract';

/** A picture of a face or a wall yields characters, but hardly a word. */
const WORD = /\p{L}{3,}/u;

/** @throws ConfigError for a command that is named and is not there */
export function createTextRecognition(
  { command, languages, programPath }: Config['ocr'],
  log: Pick<Logger, 'warn'>,
  limits: RecognitionLimits = {
    limitMs: TIMEOUTS.textRecognition,
    memoryMb: 1_024,
    outputMax: 2 * 1024 * 1024,
  },
): TextRecognition | undefined {
  if (command === 'none') return undefined;
  const program = findProgram(command ?? PRESET, programPath);
  if (program === undefined) {
    if (command === undefined) return undefined;
    throw new ConfigError([`OCR_COMMAND: ${command} is no program that can be run`]);
  }
  return {
    async read(pictures) {
      const end = performance.now() + limits.limitMs;
      const texts: string[] = [];
      let count = 0;
      for (const picture of pictures) {
        const left = end - performance.now();
        if (left <= 0) break;
        count += 1;
        const { text, problem } = await recognize(
          { program, languages, picture },
          { ...limits, limitMs: left },
        );
        if (problem !== undefined) log.warn({ problem }, 'the text of a picture could not be recognised');
        const lines = tidied(text ?? '');
        if (WORD.test(lines)) texts.push(lines);
      }
      return texts.length === 0 ? undefined : { text: texts.join('\n\n'), pictures: count };
    },
  };
}

/** The file of a program that may be run. */
function findProgram(command: string, programPath: string): string | undefined {
  const places = command.includes(path.sep)
    ? [path.resolve(command)]
    : programPath.split(path.delimiter).map((folder) => path.join(folder, command));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

interface Task {
  program: string;
  languages: string;
  picture: Uint8Array;
}

interface Recognized {
  text?: string;
  problem?: string;
}

/** Limits that the kernel enforces, where it can, also for child processes: address space, and no files. */
const LIMITED = 'ulimit -v "$1" 2>/dev/null; ulimit -f 0 2>/dev/null; shift; exec "$@"';

function recognize(
  { program, languages, picture }: Task,
  { limitMs, memoryMb, outputMax }: RecognitionLimits,
): Promise<Recognized> {
  const command = [program, 'stdin', 'stdout', '-l', languages];
  const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', String(memoryMb * 1_024), ...command], {
    cwd: os.tmpdir(),
    // One thread: pictures are read in parallel, beside the other work of the server.
    env: { OMP_THREAD_LIMIT: '1', PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'ignore'],
    // A group of its own, which is killed as a whole.
    detached: true,
  });
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const kill = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        // It has ended meanwhile.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    };
    const finish = (outcome: Recognized) => {
      clearTimeout(timer);
      kill();
      child.stdout.destroy();
      resolve(outcome);
    };
    const timer = setTimeout(() => finish({ problem: 'it took too long' }), limitMs);
    child.once('error', (error) => finish({ problem: error.message }));
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > outputMax) finish({ problem: 'it wrote too much' });
      else pieces.push(piece);
    });
    child.once('close', (code, signal) =>
      finish(
        code === 0
          ? { text: Buffer.concat(pieces).toString('utf8') }
          : { problem: `it ended with ${signal ?? String(code)}` },
      ),
    );
    // The exit code explains why a program ends before it has read all input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(picture);
  });
}

function tidied(text: string): string {
  return text
    .replaceAll('\0', '')
    .toWellFormed()
    .replaceAll('\f', '')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

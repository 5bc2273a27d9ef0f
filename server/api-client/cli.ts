/**
 * The command line on the client. One table defines the arguments and the action of each command; usage, help and validation
 * are generated from it.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { LociError } from '#shared/api-client.ts';
import { listen } from './listening.ts';
import { ask, get, list, search } from './reading.ts';
import { login, openSession, UsageError, type CreateClient, type Given, type Row } from './session.ts';
import { SignInError } from './sign-in.ts';
import { exportTo, importArchive, save } from './transfer.ts';

/** Dependencies of the command line. */
export interface Tools {
  createClient: CreateClient;
  version: string;
}

interface Option {
  /** Word for the value in the help; a switch has none. */
  value?: string;
  multiple?: true;
  help: string;
}

interface Command {
  /** The arguments as the help shows them; one that ends in … accepts several words. */
  args: string;
  help: string;
  options: Readonly<Record<string, Option>>;
  run(given: Given): Promise<void>;
}

const JSON_OPTION = { json: { help: 'print what the API returned' } };
const SPACE = { space: { value: 'ID|SLUG', help: 'only in this space' } };
const TAG = { value: 'TAG', multiple: true } as const;

const COMMANDS: Readonly<Record<string, Command>> = {
  login: {
    args: 'URL',
    help: 'signs in with a browser, or with the API key in LOCI_KEY',
    options: { key: { help: 'reads an API key from standard input instead' } },
    run: login,
  },
  save: {
    args: 'URL|FILE|TEXT…',
    help: 'saves a link, a file or a note; - reads a note from standard input',
    options: {
      title: { value: 'TITLE', help: 'instead of the title of the page or file' },
      tag: { ...TAG, help: 'adds a tag; can be repeated' },
      space: { value: 'ID|SLUG', help: 'saves into this space' },
    },
    run: save,
  },
  ask: {
    args: 'QUESTION…',
    help: 'prints an answer from what was saved, with its sources',
    options: { ...SPACE, ...JSON_OPTION },
    run: ask,
  },
  search: {
    args: 'QUERY…',
    help: 'lists the best matches',
    options: { ...SPACE, ...JSON_OPTION },
    run: search,
  },
  list: {
    args: '',
    help: 'lists the memories that are not archived',
    options: {
      ...SPACE,
      tag: { ...TAG, help: 'only with this tag; can be repeated' },
      type: { value: 'TYPE', help: 'only note, link or file' },
      ...JSON_OPTION,
    },
    run: list,
  },
  get: { args: 'ID', help: 'prints the text of a memory', options: JSON_OPTION, run: get },
  listen: {
    args: '',
    help: 'prints what changes in the workspace, until it is stopped',
    options: { json: { help: 'prints each change as one line of JSON' } },
    run: listen,
  },
  import: {
    args: 'ARCHIVE',
    help: 'imports Markdown files, or an export of Loci',
    options: {},
    run: importArchive,
  },
  export: {
    args: 'ARCHIVE.zip|FOLDER',
    help: 'downloads the workspace as one archive, or every memory as a Markdown file',
    options: { 'without-files': { help: 'leaves uploaded files out of the archive' } },
    run: exportTo,
  },
};

const ENVIRONMENT = 'LOCI_URL, LOCI_KEY and LOCI_WORKSPACE replace what login has stored.\n';

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, help]) => `  ${name.padEnd(width)}  ${help}\n`).join('');
}

function usage(): string {
  const rows = Object.entries(COMMANDS).map(([name, { args, help }]) => [`${name} ${args}`, help] as const);
  return `Usage: loci <command> [options]\n\n${table(rows)}\nloci <command> --help lists the options of a command.\n${ENVIRONMENT}`;
}

function helpOf(name: string, { args, help, options }: Command): string {
  const own = Object.entries(options).map(
    ([option, { value, help: text }]) => [`--${option}${value ? ` ${value}` : ''}`, text] as const,
  );
  const rows = table([...own, ['--help', 'prints this'], ['--version', 'prints the version']]);
  return `Usage: loci ${[name, args].filter(Boolean).join(' ')}\n\n${help}\n\n${rows}\n${ENVIRONMENT}`;
}

/** Runs one command; returns the exit code: 0 done, 1 failed, 2 used wrongly. */
export async function run({ createClient, version }: Tools, args: readonly string[]): Promise<number> {
  // A reader such as `head` may have seen enough.
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : 1));
  const [name = '--help', ...rest] = args;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const isHelp = name === '--help' || name === 'help';
    if (isHelp || name === '--version') process.stdout.write(isHelp ? usage() : `${version}\n`);
    else process.stderr.write(`There is no command ${name}. See loci --help\n`);
    return isHelp || name === '--version' ? 0 : 2;
  }
  try {
    const { values, words } = parsed(command, rest);
    if (values['help'] === true) process.stdout.write(helpOf(name, command));
    else if (values['version'] === true) process.stdout.write(`${version}\n`);
    else {
      checkWords(command, words);
      await command.run({ words, values, createClient, open: () => openSession(createClient) });
    }
    return 0;
  } catch (error) {
    const isMisuse = error instanceof UsageError;
    process.stderr.write(`${messageOf(error)}${isMisuse ? `. See loci ${name} --help` : ''}\n`);
    return isMisuse ? 2 : 1;
  }
}

function parsed({ options }: Command, args: string[]): Pick<Given, 'words' | 'values'> {
  const known: NonNullable<ParseArgsConfig['options']> = {
    help: { type: 'boolean' },
    version: { type: 'boolean' },
  };
  for (const [name, { value, multiple = false }] of Object.entries(options))
    known[name] = { type: value === undefined ? 'boolean' : 'string', multiple };
  try {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: known });
    return { words: positionals, values };
  } catch (error) {
    // Its second sentence is about positional arguments that look like options.
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new UsageError(first.replace(/\.$/, ''), { cause: error });
  }
}

function checkWords({ args }: Command, words: readonly string[]): void {
  if (args !== '' && words.join('').trim() === '') throw new UsageError(`${args} is missing`);
  const most = args === '' ? 0 : 1;
  if (!args.endsWith('…') && words.length > most)
    throw new UsageError(`Unexpected argument ${words[most] ?? ''}`);
}

/** One line for a person. */
function messageOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof LociError || error instanceof SignInError)
    return error.message;
  const { message, code, path: file, cause }: Row = Object(error);
  if (code === 'ENOENT') return `There is no file ${String(file)}`;
  // The message of fetch is generic; its cause is specific.
  const reason: Row = Object(cause);
  if (message === 'fetch failed')
    return `The server cannot be reached: ${String(reason['code'] ?? reason['message'])}`;
  return typeof message === 'string' ? message : String(error);
}

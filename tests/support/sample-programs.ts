/**
 * Runs samples of the API reference with the programs that readers have: curl, python3, and Node with the built client. Each
 * language takes one process (for curl, one shell), in which the samples follow each other as they were given.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { SAMPLE_FILES } from '#shared/openapi/samples.ts';
import type { SampleLanguage } from '#shared/openapi/sample-languages.ts';
import { ensureProgram } from './ensure-program.ts';
import { zipOf } from './zip.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const exec = promisify(execFile);

/** One sample, with the environment that it reads its secrets from. */
export interface SampleRun {
  name: string;
  text: string;
  env: Readonly<Record<string, string>>;
}

/** What came of a sample: an empty `fault` when it ran to its end. */
export interface SampleOutcome {
  name: string;
  output: string;
  fault: string;
}

const outcomes = z.array(z.object({ name: z.string(), output: z.string(), fault: z.string() }));

/** Runs samples one after another in `folder`, which is theirs alone. */
export async function runSamples(
  language: SampleLanguage,
  folder: string,
  samples: readonly SampleRun[],
): Promise<SampleOutcome[]> {
  const program = { curl: 'curl', python: 'python3', typescript: 'node' }[language];
  ensureProgram(program);
  const archive = await zipOf([{ path: 'Harbour.md', bytes: '# Harbour\n\nDeep at low water.' }]);
  writeFileSync(path.join(folder, SAMPLE_FILES.sent), archive);
  writeFileSync(path.join(folder, 'samples.json'), JSON.stringify(samples));
  const [command, ...args] = await PREPARED[language](folder, samples);
  // Settings of this machine and of who runs the tests stay out of it.
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, PYTHONDONTWRITEBYTECODE: '1' };
  await exec(command, args, { cwd: folder, env, maxBuffer: 64_000_000 });
  return outcomes.parse(JSON.parse(readFileSync(path.join(folder, 'outcomes.json'), 'utf8')));
}

type Command = [string, ...string[]];

const PREPARED: Record<
  SampleLanguage,
  (folder: string, samples: readonly SampleRun[]) => Command | Promise<Command>
> = {
  curl(folder, samples) {
    samples.forEach(({ text }, index) => writeFileSync(path.join(folder, `${index}.sh`), text));
    writeFileSync(path.join(folder, 'run.mjs'), SHELL_RUNNER);
    return [process.execPath, 'run.mjs'];
  },
  python(folder) {
    writeFileSync(path.join(folder, 'run.py'), PYTHON_RUNNER);
    return ['python3', 'run.py'];
  },
  async typescript(folder, samples) {
    const installed = path.join(folder, 'node_modules/@loci/api-client');
    mkdirSync(installed, { recursive: true });
    await exec(process.execPath, [path.join(ROOT, 'server/api-client/build.ts'), installed]);
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    samples.forEach(({ text }, index) => writeFileSync(path.join(folder, `${index}.ts`), text));
    writeFileSync(path.join(folder, 'run.mjs'), NODE_RUNNER);
    return [process.execPath, 'run.mjs'];
  },
};

const SHELL_RUNNER = `
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
const samples = JSON.parse(readFileSync('samples.json', 'utf8'));
const outcomes = samples.map(({ name, env }, index) => {
  const ran = spawnSync('sh', [index + '.sh'], { encoding: 'utf8', env: { ...process.env, ...env } });
  return { name, output: ran.stdout, fault: ran.status === 0 ? '' : ran.status + ' ' + ran.stderr };
});
writeFileSync('outcomes.json', JSON.stringify(outcomes));
`;

const PYTHON_RUNNER = `
import contextlib, io, json, os

with open("samples.json") as file:
    samples = json.load(file)
outcomes = []
for sample in samples:
    os.environ.update(sample["env"])
    output = io.StringIO()
    fault = ""
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(sample["text"], sample["name"], "exec"), {"__name__": "__main__"})
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
    outcomes.append({"name": sample["name"], "output": output.getvalue(), "fault": fault})
with open("outcomes.json", "w") as file:
    json.dump(outcomes, file)
`;

const NODE_RUNNER = `
import { readFileSync, writeFileSync } from 'node:fs';
import { inspect } from 'node:util';
const samples = JSON.parse(readFileSync('samples.json', 'utf8'));
const outcomes = [];
let output = '';
console.log = (value) => { output += inspect(value) + '\\n'; };
process.stdout.write = (text) => { output += text; return true; };
for (const [index, { name, env }] of samples.entries()) {
  Object.assign(process.env, env);
  output = '';
  const fault = await import(new URL(index + '.ts', import.meta.url).href).then(() => '', String);
  outcomes.push({ name, output, fault });
}
writeFileSync('outcomes.json', JSON.stringify(outcomes));
`;

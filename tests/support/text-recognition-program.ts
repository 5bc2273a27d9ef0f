/**
 * A program with the command line of Tesseract, for machines without it: it takes `stdin stdout -l LANGUAGES`, reads a
 * picture from its input, and prints words. The words say what it was given, so that a test sees that too. How it
 * misbehaves is chosen by the language.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PROGRAM = `#!/bin/sh
[ "$1 $2 $3" = "stdin stdout -l" ] || { echo "wrong arguments" >&2; exit 2; }
case "$4" in
  broken) cat > /dev/null; exit 1 ;;
  crashing) kill -SEGV $$ ;;
  silent) cat > /dev/null; echo " | . ~"; exit 0 ;;
  endless) yes "many words" ;;
  hanging) sleep 61237 & wait ;;
  greedy) cat > /dev/null; exec perl -e '$x = "y" x 3000000000; print length $x' ;;
esac
bytes=$(cat | wc -c)
head=$(printf 'read %s bytes' "$bytes")
printf 'Berth seven\\n\\n\\n\\nlanguages %s   \\n%s\\nvariables %s\\n\\f' "$4" "$head" "$(env | sort | cut -d= -f1 | tr '\\n' ' ')"
`;

/** The program as a file of its own. */
export function recognitionProgram(): { command: string; remove: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loci-recognition-'));
  const command = path.join(folder, 'tesseract');
  writeFileSync(command, PROGRAM);
  chmodSync(command, 0o755);
  return { command, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What a program and the processes under it use: memory, processor time and files on the disk. Linux only. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Memory of one process in bytes. */
export interface ProcessMemory {
  pid: number;
  name: string;
  /** Proportional share: pages that several processes use count once in their sum. */
  pss: number;
  /** Pages that no other process uses. */
  own: number;
}

/** These processes and all their descendants. */
function familyOf(pids: readonly number[]): number[] {
  const children = Map.groupBy(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number),
    (pid) => parentOf(pid),
  );
  const family = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(family)];
  return [...new Set(pids.flatMap(family))];
}

/** Ticks of the clock by which Linux counts processor time, in a second (USER_HZ, the same on every architecture). */
const TICKS = 100;

/** Milliseconds of processor that PostgreSQL under this process has used, in steps of ten. */
export function databaseMs(): number {
  const ticks = familyOf([process.pid]).map((pid) => {
    const stat = readOptional(`/proc/${pid}/stat`) ?? '';
    if (!stat.includes('(postgres)')) return 0;
    // Own time and that of children that have ended: proc_pid_stat(5), fields 14 to 17.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  });
  return (ticks.reduce((sum, count) => sum + count, 0) / TICKS) * 1_000;
}

/** The memory of these processes and of all their descendants. */
export function memoryOf(pids: readonly number[]): ProcessMemory[] {
  return familyOf(pids).flatMap((pid) => {
    const sizes = readOptional(`/proc/${pid}/smaps_rollup`);
    if (sizes === undefined) return [];
    const bytes = (field: string) =>
      Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(sizes)?.[1] ?? 0) * 1_024;
    const name = readOptional(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim().slice(0, 80) ?? '';
    return [{ pid, name, pss: bytes('Pss'), own: bytes('Private_Clean') + bytes('Private_Dirty') }];
  });
}

/** Files, sockets and pipes that these processes and all their descendants have open, without those of PostgreSQL. */
export function openFilesOf(pids: readonly number[]): number {
  const counts = familyOf(pids).map((pid) => {
    if (readOptional(`/proc/${pid}/comm`)?.trim() === 'postgres') return 0;
    try {
      return readdirSync(`/proc/${pid}/fd`).length;
    } catch {
      return 0;
    }
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

function parentOf(pid: number): number | undefined {
  const status = readOptional(`/proc/${pid}/status`);
  return status === undefined ? undefined : Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]);
}

/** Undefined when the process ended meanwhile. */
function readOptional(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Bytes that the files of a folder occupy on the disk. */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return sum + folderBytes(file);
    const stats = statSync(file, { throwIfNoEntry: false });
    return sum + (stats === undefined ? 0 : stats.blocks * 512);
  }, 0);
}

/**
 * The identity of a process that is never reused: its id, the clock tick of its start, and the machine's boot id.
 * Process ids alone are reused over time. Without /proc (macOS), the id alone must do.
 */
import { readFileSync } from 'node:fs';
import { hasCode } from '../../../platform/files/system-error.js';

export interface ProcessIdentity {
  pid: number;
  /** Clock ticks from the machine's boot to the start of the process; 0 where /proc is missing. */
  startTicks: number;
  /** The kernel's id of this boot; `0` where /proc is missing. */
  boot: string;
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, startTicks: readStat(process.pid)?.startTicks ?? 0, boot: bootId() };
}

/** Whether exactly this process is alive. A zombie is dead. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.boot !== bootId()) return false;
  const stat = readStat(identity.pid);
  if (stat === undefined) return isSignalable(identity.pid);
  return stat.startTicks === identity.startTicks && !'ZX'.includes(stat.state);
}

/** The arguments of a running process, the program first; empty where it is gone or cannot be seen. */
export function commandLine(pid: number): string[] {
  return (readProc(`${pid}/cmdline`) ?? '').split('\0').filter((argument) => argument !== '');
}

/** True where a process with this id exists, even one of another account. */
export function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (hasCode(error, 'EPERM')) return true;
    if (hasCode(error, 'ESRCH')) return false;
    throw error;
  }
}

/** See proc(5): the name in brackets may hold spaces and brackets, so the fields are counted from its last bracket. */
function readStat(pid: number): { state: string; startTicks: number } | undefined {
  const text = readProc(`${pid}/stat`);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTicks: Number(fields[19]) };
}

function bootId(): string {
  return readProc('sys/kernel/random/boot_id')?.trim() ?? '0';
}

function readProc(name: string): string | undefined {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined;
    throw error;
  }
}

/**
 * The identity of a process that is never reused: its id, the clock tick of its start, and the machine's boot id.
 * Process ids alone are reused over time. Without /proc (macOS), the id alone must do.
 */
import { readFileSync } from 'node:fs';
import { hasCode } from '../../../platform/files/system-error.js';

/** The identity as a word without spaces or slashes; undefined where no such process lives. A zombie is dead. */
export function identityOf(pid: number): string | undefined {
  const stat = readProc(`${pid}/stat`);
  if (stat === undefined) return sendSignal(pid, 0) ? `${pid}.0.0` : undefined;
  // See proc(5): the name in brackets may hold spaces and brackets, so the fields are counted from its last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const boot = readProc('sys/kernel/random/boot_id')?.trim() ?? '0';
  return /[ZX]/.test(fields[0] ?? '') ? undefined : `${pid}.${fields[19]}.${boot}`;
}

/** Returns whether there is such a process, even one of another account, which does not get the signal. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (hasCode(error, 'EPERM')) return true;
    if (hasCode(error, 'ESRCH')) return false;
    throw error;
  }
}

/** A file below /proc; undefined where the process is gone or cannot be seen. */
export function readProc(name: string): string | undefined {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined;
    throw error;
  }
}

import { readdir, readFile } from 'node:fs/promises';

/** Milliseconds in a tick of the processor times that Linux tells. */
const tickMs = 10;

/** The processor time of the processes of a PostgreSQL that are there, in milliseconds; 0 where the system is not Linux. */
export async function postgresCpuMs(postmaster: number): Promise<number> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const times = await Promise.all(processes.map((id) => cpuMsOfChild(id, postmaster)));
  return times.reduce((sum, ms) => sum + ms, 0);
}

async function cpuMsOfChild(id: string, parent: number): Promise<number> {
  // It may have ended since.
  const stat = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
  // The name of the program comes first, in parentheses, and may contain anything (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [parentId, user, system] = [fields[1], fields[11], fields[12]].map(Number);
  return parentId === parent ? ((user ?? 0) + (system ?? 0)) * tickMs : 0;
}

/** CPU time of a process, which does not depend on other load of the machine. */
import { readFile } from 'node:fs/promises'

/** Of `utime` and `stime` in proc_pid_stat(5): 100 on every Linux that Node supports. */
const TICKS_PER_SECOND = 100
const USER_TIME = 11

/** CPU seconds of all threads, ended ones included. */
export async function cpuSeconds(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name of the program, in parentheses, may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TIME]) + Number(fields[USER_TIME + 1])) / TICKS_PER_SECOND
}

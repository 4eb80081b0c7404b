/** CPU time of a process, which does not depend on other load of the machine. */
import { readdir, readFile } from 'node:fs/promises'

/** CPU seconds of all threads, from the nanosecond counters of the scheduler. */
export async function cpuSeconds(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`
  let sum = 0
  for (const task of await readdir(folder)) {
    const text = await readFile(`${folder}/${task}/schedstat`, 'utf8').catch(() => '0')
    sum += Number(text.split(' ')[0])
  }
  return sum / 1e9
}

/** What a process has used of the processors: on a machine that others use too, the figure that holds. */
import { readdir, readFile } from 'node:fs/promises'

/** Seconds of all threads of a process so far, from the scheduler's own count of nanoseconds. */
export async function cpuSeconds(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`
  let sum = 0
  for (const task of await readdir(folder)) {
    const text = await readFile(`${folder}/${task}/schedstat`, 'utf8').catch(() => '0')
    sum += Number(text.split(' ')[0])
  }
  return sum / 1e9
}

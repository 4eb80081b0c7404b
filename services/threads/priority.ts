import { readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** Below the threads that serve requests. */
export const LOW_PRIORITY = 10

/** A lower priority stays: raising it needs privileges. */
export function lowerPriority(pid: number): void {
  if (getPriority(pid) < LOW_PRIORITY) setPriority(pid, LOW_PRIORITY)
}

/** On Linux, each thread has its own priority, which the threads that it starts inherit. */
export function lowerPriorityOfAllThreads(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : [process.pid]
  for (const thread of threads) lowerPriority(Number(thread))
}

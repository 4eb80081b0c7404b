/** The process of `low-priority-process.ts`: runs tasks in threads, and ends when its parent disconnects. */
import { lowerPriorityOfAllThreads } from './priority.ts'
import { createTaskThreads } from './task-threads.ts'
import type { TaskMessage, TaskReport } from './worker.ts'

export type HostMessage =
  | { readonly kind: 'run'; readonly id: number; readonly task: TaskMessage }
  | { readonly kind: 'abort'; readonly id: number }
export type HostReply =
  | { readonly id: number; readonly report: TaskReport }
  | { readonly id: number; readonly error: { readonly message: string; readonly code?: string | undefined } }

const [threads, maxHeapMib] = process.argv.slice(2).map(Number) as [number, number]
const running = new Map<number, AbortController>()

lowerPriorityOfAllThreads()
const opening = createTaskThreads({ threads, maxHeapMib })
process.on('disconnect', () => process.exit(0))
// A terminal signals all processes; the parent finishes its tasks first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.on('message', (message: HostMessage) => {
  if (message.kind === 'abort') running.get(message.id)?.abort()
  else void run(message.id, message.task).then(reply => process.send?.(reply))
})

async function run(id: number, task: TaskMessage): Promise<HostReply> {
  const aborter = new AbortController()
  running.set(id, aborter)
  try {
    const pool = await opening
    return { id, report: await pool.run(task, { signal: aborter.signal }) }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return { id, error: { message, code } }
  } finally {
    running.delete(id)
  }
}

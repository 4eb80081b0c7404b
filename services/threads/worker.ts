/** The code of a worker thread: runs one task at a time within its time limit. */
import { setPriority } from 'node:os'
import { LimitExceeded, runWithTimeout } from '../../kernel/base/execution-limits.ts'

export interface TaskMessage {
  /** URL of the file. */
  readonly file: string
  readonly name: string
  readonly input: unknown
  readonly timeoutMs: number
}
export type TaskResult = { readonly output: unknown } | { readonly exceeded: string }

/** Below the main thread, which serves requests. */
const PRIORITY = 10
// Linux changes the calling thread; other systems would change the process.
if (process.platform === 'linux') setPriority(PRIORITY)

type TaskFunction = (input: unknown) => unknown

export default async function runTask({ file, name, input, timeoutMs }: TaskMessage): Promise<TaskResult> {
  const exported = (await import(file)) as Readonly<Record<string, TaskFunction | undefined>>
  const task = exported[name]
  if (!task) throw new Error(`${file} does not export ${name}`)
  try {
    return { output: runWithTimeout(timeoutMs, () => task(input)) }
  } catch (error) {
    if (error instanceof LimitExceeded) return { exceeded: error.message }
    // Exhausted stack, or a string that is longer than V8 supports.
    if (error instanceof RangeError) return { exceeded: 'it is too large or nested too deeply' }
    throw error
  }
}

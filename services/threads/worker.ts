/** The code of a worker thread: runs one task at a time within its time limit. */
import { LimitExceeded, ProcessorBusy, runWithTimeout } from '../../kernel/base/execution-limits.ts'

export interface TaskMessage {
  /** URL of the file. */
  readonly file: string
  readonly name: string
  readonly input: unknown
  readonly timeoutMs: number
}
export type TaskResult = { readonly output: unknown } | { readonly exceeded: string } | { readonly busy: true }

type TaskFunction = (input: unknown) => unknown

export default async function runTask({ file, name, input, timeoutMs }: TaskMessage): Promise<TaskResult> {
  const exported = (await import(file)) as Readonly<Record<string, TaskFunction | undefined>>
  const task = exported[name]
  if (!task) throw new Error(`${file} does not export ${name}`)
  try {
    return { output: await runWithTimeout(timeoutMs, () => task(input)) }
  } catch (error) {
    if (error instanceof LimitExceeded) return { exceeded: error.message }
    if (error instanceof ProcessorBusy) return { busy: true }
    // Exhausted stack, or a string that is longer than V8 supports.
    if (error instanceof RangeError) return { exceeded: 'it is too large or nested too deeply' }
    throw error
  }
}

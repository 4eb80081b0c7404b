/** A limit on the CPU time of synchronous work whose cost depends on untrusted input. */
import { readFileSync } from 'node:fs'
import { createContext, Script } from 'node:vm'
import { MINUTE } from './units.ts'

/** The message completes a sentence that begins with the work: "it takes longer than 250 ms". */
export class LimitExceeded extends Error {}

/** Thrown when the work got too little CPU time to finish or to reach its limit, because the machine is busy. */
export class ProcessorBusy extends Error {}

/** The longest time that one attempt may take. */
const MAX_ELAPSED_MS = MINUTE
/** The time of each attempt is at most this multiple of the one before. */
const MAX_GROWTH = 4
/**
 * The fraction of a limit at which it counts as reached: Linux updates the time of a running thread every 1 to 10 ms.
 */
const REACHED = 0.8

let sandbox: { run: () => unknown } | undefined
let script: Script | undefined

/**
 * Runs `work` under V8's watchdog, which interrupts any loop. Throws LimitExceeded, ProcessorBusy or the error of `work`.
 *
 * The watchdog measures elapsed time, which includes the time that other threads use the processor. If the interrupted
 * work has used less CPU time than its limit, it runs again for longer, so it must be repeatable. On systems that don't
 * report the CPU time of a thread, the limit is elapsed time.
 */
export function runWithTimeout<T>(timeoutMs: number, work: () => T): T {
  let elapsedMs = timeoutMs
  while (elapsedMs <= MAX_ELAPSED_MS) {
    const startedMs = threadCpuMs()
    const result = runUnderWatchdog(elapsedMs, work)
    if (result) return result.value
    const usedMs = startedMs === undefined ? elapsedMs : (threadCpuMs() ?? 0) - startedMs
    if (usedMs >= REACHED * timeoutMs) throw new LimitExceeded(`it takes longer than ${timeoutMs} ms`)
    // With the same share of the CPU, the next attempt would reach its limit.
    elapsedMs = Math.ceil(elapsedMs * Math.min(MAX_GROWTH, timeoutMs / usedMs))
  }
  throw new ProcessorBusy(`it got less than ${timeoutMs} ms of the processor`)
}

/** Returns undefined if the watchdog has interrupted the work. */
function runUnderWatchdog<T>(elapsedMs: number, work: () => T): { readonly value: T } | undefined {
  script ??= new Script('run()')
  sandbox ??= createContext({ run: () => undefined }) as { run: () => unknown }
  sandbox.run = work
  try {
    return { value: script.runInContext(sandbox, { timeout: elapsedMs }) as T }
  } catch (error) {
    if ((error as NodeJS.ErrnoException | undefined)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return undefined
  }
}

/** CPU time of the calling thread; undefined on systems that don't report it. */
export function threadCpuMs(): number | undefined {
  // Node 20 lacks it.
  const usage = process.threadCpuUsage?.()
  if (usage) return (usage.user + usage.system) / 1000
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return undefined
  }
}

/** Throws LimitExceeded if the text has more characters. */
export function assertMaxLength(text: string, maxLength: number): string {
  if (text.length > maxLength) throw new LimitExceeded(`it becomes larger than ${maxLength} characters`)
  return text
}

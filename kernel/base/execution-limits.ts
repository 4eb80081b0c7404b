/** A time limit for synchronous work whose cost depends on untrusted input. */
import { createContext, Script } from 'node:vm'

/** The message completes a sentence that begins with the work: "it takes longer than 250 ms". */
export class LimitExceeded extends Error {}

let sandbox: { run: () => unknown } | undefined
let script: Script | undefined

/** Runs `work` under V8's watchdog, which interrupts any loop. Throws LimitExceeded, or the error of `work`. */
export function runWithTimeout<T>(timeoutMs: number, work: () => T): T {
  script ??= new Script('run()')
  sandbox ??= createContext({ run: () => undefined }) as { run: () => unknown }
  sandbox.run = work
  try {
    return script.runInContext(sandbox, { timeout: timeoutMs }) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException | undefined)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new LimitExceeded(`it takes longer than ${timeoutMs} ms`)
  }
}

/** Throws LimitExceeded if the text has more characters. */
export function assertMaxLength(text: string, maxLength: number): string {
  if (text.length > maxLength) throw new LimitExceeded(`it becomes larger than ${maxLength} characters`)
  return text
}

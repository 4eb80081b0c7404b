/** Limits of a rendering, so that an expensive template fails alone and does not block the process. */
import { createContext, Script } from 'node:vm'
import { MIB, SECOND } from './units.ts'

export interface Bounds {
  /** Characters of the output. */
  readonly size: number
  /** Milliseconds. */
  readonly time: number
}
export const MAIL_BOUNDS: Bounds = { size: MIB, time: SECOND }

/** A rendering exceeded its limits. */
export class OverBounds extends Error {}

let sandbox: { run: () => string } | undefined
let script: Script | undefined

/** Runs `render` under V8's watchdog, which interrupts any loop. Throws OverBounds, or the error of `render`. */
export function runWithLimits({ size, time }: Bounds, render: () => string): string {
  script ??= new Script('run()')
  sandbox ??= createContext({ run: () => '' }) as { run: () => string }
  sandbox.run = render
  let text: string
  try {
    text = script.runInContext(sandbox, { timeout: time }) as string
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new OverBounds(`rendering takes longer than ${time} ms`)
  }
  if (text.length > size) throw new OverBounds(`the output is larger than ${size} characters`)
  return text
}

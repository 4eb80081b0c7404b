/** Bounds of a rendering: a loop in a loop over long lists must cost its own mail, not the process. */
import { createContext, Script } from 'node:vm'
import { MIB, SECOND } from './units.ts'

export interface Bounds {
  /** Characters of what comes out. */
  readonly size: number
  /** Milliseconds. */
  readonly time: number
}
export const MAIL_BOUNDS: Bounds = { size: MIB, time: SECOND }

/** Why a rendering was stopped. */
export class OverBounds extends Error {}

let sandbox: { run: () => string } | undefined
let script: Script | undefined

/** Runs `render` under the engine's own watchdog, which stops any loop. Throws OverBounds, or what `render` throws. */
export function runWithLimits({ size, time }: Bounds, render: () => string): string {
  script ??= new Script('run()')
  sandbox ??= createContext({ run: () => '' }) as { run: () => string }
  sandbox.run = render
  let text: string
  try {
    text = script.runInContext(sandbox, { timeout: time }) as string
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new OverBounds(`it takes longer than ${time} ms`)
  }
  if (text.length > size) throw new OverBounds(`it becomes larger than ${size} characters`)
  return text
}

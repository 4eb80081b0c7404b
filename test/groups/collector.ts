/** The `test` function of a file in a group: collects tests and hooks instead of passing them to AVA. */
import type { ExecutionContext } from 'ava'

export type Body = (t: ExecutionContext) => unknown

export interface CollectedTest {
  readonly title: string
  readonly body: Body
  readonly skipped: boolean
}
export interface CollectedFile {
  readonly serial: CollectedTest[]
  readonly concurrent: CollectedTest[]
  readonly before: Body[]
  readonly beforeEach: Body[]
  readonly afterEach: Body[]
  readonly after: Body[]
}

/** By the path of the file below `dist/test`. */
const files = new Map<string, CollectedFile>()

export function collected(path: string): CollectedFile {
  let file = files.get(path)
  if (!file) {
    file = { serial: [], concurrent: [], before: [], beforeEach: [], afterEach: [], after: [] }
    files.set(path, file)
  }
  return file
}

/** The part of AVA's `test` that this project uses; a file that uses more fails on import. */
export function createCollector(path: string) {
  const file = collected(path)
  const test =
    (tests: CollectedTest[], skipped = false) =>
    (title: string, body: Body, ...macroArguments: unknown[]): void => {
      if (typeof title !== 'string' || typeof body !== 'function' || macroArguments.length > 0)
        throw new TypeError(`a test in ${path} is not of the form test(title, function)`)
      tests.push({ title, body, skipped })
    }
  const hook =
    (hooks: Body[]) =>
    (...declaration: readonly [Body] | readonly [string, Body]): void =>
      void hooks.push(declaration.at(-1) as Body)
  return Object.assign(test(file.concurrent), {
    skip: test(file.concurrent, true),
    serial: Object.assign(test(file.serial), { skip: test(file.serial, true) }),
    before: hook(file.before),
    beforeEach: hook(file.beforeEach),
    afterEach: { always: hook(file.afterEach) },
    after: { always: hook(file.after) },
  })
}

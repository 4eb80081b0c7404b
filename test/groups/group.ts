/**
 * Runs many test files in one process, one after the other: importing and compiling the kernel costs more than most
 * files. Each file keeps its own hooks and context, and its tests are named after it. See docs/testing.md.
 */
import { subscribe } from 'node:diagnostics_channel'
import type { ExecutionContext } from 'ava'
import { setThreadDefaults } from '../../services/threads/worker-pool.ts'
import { stopSharedKernels } from '../fixtures/shared-kernel.ts'
import { type Body, type CollectedFile, type CollectedTest, collected } from './collector.ts'

const root = new URL('../', import.meta.url)

/** Starting a thread and loading its task takes longer than most tasks of tests. */
const KEPT_THREADS = { threads: 2, idleMs: Number.POSITIVE_INFINITY }

/**
 * @param paths of compiled test files below `dist/test`, such as `modules/forms/pages.test.js`.
 * @param maxKernels how many kernels the tests may start: each start takes as long as ten tests.
 */
export async function runGroup(paths: readonly string[], maxKernels: number): Promise<void> {
  let kernels = 0
  subscribe('tracing:larder.kernel.start:start', () => void kernels++)
  setThreadDefaults(KEPT_THREADS)
  const { default: test } = await import('ava')
  for (const path of paths) await import(new URL(path.replace(/\.test\.js$/, '.grouped.js'), root).href)
  // AVA starts once the first test is declared: no file is imported after that.
  for (const path of paths) {
    const file = collected(path)
    const { wrap, stop } = createFileRun(file)
    for (const each of inOrder(file)) {
      const declare = each.skipped ? test.serial.skip : test.serial
      declare(`${nameOf(path)} › ${each.title}`, wrap(each))
    }
    // A run of selected tests may exclude the last one.
    test.after.always(`after ${path}`, stop)
  }
  test.after.always('after all files', stopSharedKernels)
  test.serial(`the tests of this process start at most ${maxKernels} kernels`, t => {
    t.log(`${kernels} kernels`)
    t.true(kernels <= maxKernels, `${kernels} kernels; share them (docs/testing.md)`)
  })
}

const nameOf = (path: string): string => path.replace(/\.test\.js$/, '').replaceAll('/', ' › ')

/** Like AVA: serial tests run first. */
const inOrder = ({ serial, concurrent }: CollectedFile): CollectedTest[] => [...serial, ...concurrent]

function createFileRun(file: CollectedFile) {
  const last = inOrder(file).findLast(({ skipped }) => !skipped)
  let context: unknown = {}
  let started: Promise<void> | undefined
  let stopped: Promise<void> | undefined

  async function start(t: ExecutionContext): Promise<void> {
    for (const hook of file.before) await hook(t)
    context = t.context
  }
  const stop = (t: ExecutionContext): Promise<void> => {
    stopped ??= started ? runAll(file.after, Object.assign(t, { context: copy(context) })) : Promise.resolve()
    return stopped
  }
  const wrap =
    (each: CollectedTest): Body =>
    async t => {
      // Teardowns run in reverse order: the test's own first, then the hooks after it, then those of the file.
      if (each === last) t.teardown(() => stop(t))
      started ??= start(t)
      await started
      t.context = copy(context)
      t.teardown(() => runAll(file.afterEach, t))
      for (const hook of file.beforeEach) await hook(t)
      await each.body(t)
    }
  return { wrap, stop }
}

async function runAll(hooks: readonly Body[], t: ExecutionContext): Promise<void> {
  const errors: unknown[] = []
  for (const hook of hooks)
    try {
      await hook(t)
    } catch (error) {
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}

const copy = (context: unknown): unknown => (context !== null && typeof context === 'object' ? { ...context } : context)

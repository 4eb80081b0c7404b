import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { createLowPriorityProcess } from '../../../services/threads/low-priority-process.ts'
import type { TaskReport } from '../../../services/threads/worker.ts'

const LIMITS = { threads: 1, maxHeapMib: 64 }
const IDLE_MS = 200

function fixture(idleMs?: number) {
  const process = createLowPriorityProcess(LIMITS, idleMs)
  const run = async (name: string, input?: unknown, signal = new AbortController().signal): Promise<unknown> => {
    const file = new URL('./tasks.js', import.meta.url).href
    const report: TaskReport = await process.run({ file, name, input, timeoutMs: 10_000 }, { signal })
    return 'output' in report ? report.output : report
  }
  return { run }
}
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('passes on results and errors', async t => {
  const { run } = fixture()
  t.deepEqual(await Promise.all([run('double', 1), run('double', 2)]), [2, 4])
  await t.throwsAsync(run('fail'), { message: 'a task failed' })
})

test('aborts one task and no other', async t => {
  const { run } = fixture()
  const aborter = new AbortController()
  const aborted = t.throwsAsync(run('spin', 60_000, aborter.signal))
  const next = run('double', 2)
  aborter.abort()
  await aborted
  t.is(await next, 4)
  await t.throwsAsync(run('double', 2, aborter.signal), { any: true })
})

test('starts again after a crash', async t => {
  const { run } = fixture()
  const crashed = t.throwsAsync(run('crash'), { message: 'the process of costly tasks ended with SIGKILL' })
  const waiting = t.throwsAsync(run('double', 1))
  await Promise.all([crashed, waiting])
  t.is(await run('double', 2), 4)
})

test('ends without tasks and starts with the next one', async t => {
  const { run } = fixture(IDLE_MS)
  const first = (await run('processId')) as number
  while (isAlive(first)) await pause(IDLE_MS)
  t.not(await run('processId'), first)
})

test('survives the signals of a terminal while its parent finishes tasks', async t => {
  const { run } = fixture()
  const pid = (await run('processId')) as number
  const running = run('spin', 300)
  process.kill(pid, 'SIGINT')
  process.kill(pid, 'SIGTERM')
  t.is(await running, 'done')
  t.is(await run('processId'), pid)
})

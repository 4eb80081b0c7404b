import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createLogDestination } from '../../bin/log-destination.ts'
import { waitFor } from '../fixtures/wait.ts'

async function destinationOf(t: ExecutionContext) {
  const folder = await mkdtemp(join(tmpdir(), 'larder-log-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const file = join(folder, 'log')
  const text = () => readFile(file, 'utf8').catch(() => '')
  return { destination: createLogDestination(file), text }
}

const line = (index: number): string => `{"level":30,"msg":"größer ${index}"}\n`

test('writes lines in blocks, in their order', async t => {
  const { destination, text } = await destinationOf(t)
  const lines = Array.from({ length: 1000 }, (_, index) => line(index))
  for (const each of lines) destination.write(each)
  const written = await waitFor(text)
  t.true(lines.join('').startsWith(written))
  t.true(written.length > 12 * 1024)
  await new Promise<void>(resolve => destination.flush(resolve))
  t.is(await text(), lines.join(''))
})

test('keeps lines until their block is full or flushed', async t => {
  const { destination, text } = await destinationOf(t)
  destination.write(line(1))
  t.is(await text(), '')
  await new Promise<void>(resolve => destination.flush(resolve))
  t.is(await text(), line(1))
})

test('writes everything at once for a flush that must not wait', async t => {
  const { destination, text } = await destinationOf(t)
  destination.write(line(1))
  await new Promise<void>(resolve => destination.flush(resolve))
  destination.write(line(2))
  destination.flushSync()
  t.is(await text(), line(1) + line(2))
})

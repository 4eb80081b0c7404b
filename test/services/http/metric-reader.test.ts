import test from 'ava'
import { pino } from 'pino'
import { common } from '../../../kernel/base/problem.ts'
import { createMetricReader } from '../../../services/http/monitoring/reader.ts'
import type { MetricSource } from '../../../services/http/types.ts'

const silent = pino({ level: 'silent' })
const one = [{ labels: {}, value: 1 }]
const source = (read: MetricSource['read'], perProcess = false): MetricSource => ({
  name: 'larder_test',
  help: 'A test',
  type: 'gauge',
  perProcess,
  read,
})
const never = () => new Promise<typeof one>(() => {})

test('leaves out a metric that is not known in time, and warns once without a stack', async t => {
  const lines: Record<string, unknown>[] = []
  const log = pino({ base: undefined }, { write: line => void lines.push(JSON.parse(line)) })
  const read = createMetricReader(log, 20)
  const slow = source(never)
  t.deepEqual(await Promise.all([read(slow), read(source(async () => one, true))]), [[], one])
  t.deepEqual(await read(slow), [])
  t.is(lines.length, 1)
  t.like(lines[0], { level: 40, code: 'metrics_late', metric: 'larder_test', reason: 'no answer within 20 ms' })
})

test('reads metrics of the installation two at a time, and those of the process at once', async t => {
  const read = createMetricReader(silent)
  const started: number[] = []
  const ends: (() => void)[] = []
  const waiting = Array.from({ length: 4 }, (_, n) =>
    source(async () => {
      started.push(n)
      await new Promise<void>(resolve => ends.push(resolve))
      return one
    }),
  )
  const reads = Promise.all(waiting.map(read))
  t.deepEqual(await read(source(async () => one, true)), one)
  t.deepEqual(started, [0, 1])
  while (ends.length > 0) {
    ends.shift()?.()
    await new Promise(resolve => setImmediate(resolve))
  }
  t.deepEqual(await reads, [one, one, one, one])
  t.deepEqual(started, [0, 1, 2, 3])
})

test('scrapes at the same time share a read', async t => {
  const read = createMetricReader(silent)
  let reads = 0
  const counting = source(async () => {
    reads++
    return one
  })
  t.deepEqual(await Promise.all([read(counting), read(counting)]), [one, one])
  t.is(reads, 1)
  await read(counting)
  t.is(reads, 2)
})

test('a metric that fails is left out, also if it throws', async t => {
  const read = createMetricReader(silent)
  t.deepEqual(await read(source(() => Promise.reject(common.database_unavailable({ seconds: 1 })))), [])
  t.deepEqual(
    await read(
      source(() => {
        throw new Error('a mistake')
      }, true),
    ),
    [],
  )
})

import test from 'ava'
import { decodeCursor, toPage } from '../../../../kernel/base/pagination.ts'
import type { DeadJob, DeliveryRecord, Inspector } from '../../../../kernel/internal.ts'
import { listDeadLetters, retryDeadLetter } from '../../../../modules/platform/services/dead-letters.ts'

/** An inspector with the given number of dead deliveries and jobs. */
function inspector(deliveries: number, jobs: number): Inspector {
  const list =
    <T extends { id: string }>(prefix: string, count: number) =>
    async ({ limit, cursor }: { limit: number; cursor?: string }) => {
      const ids = Array.from({ length: count }, (_, i) => `${prefix}_${String(i).padStart(3, '0')}`)
      const [after = ''] = decodeCursor(cursor, 1) ?? []
      const rows = ids.filter(id => id > String(after)).map(id => ({ id, attempts: 10 }) as unknown as T)
      return toPage(rows.slice(0, limit + 1), limit, row => [row.id])
    }
  return {
    events: { dead: list<DeliveryRecord>('dlv', deliveries), retry: async () => null },
    jobs: { dead: list<DeadJob>('job', jobs), retry: async (id: string) => (id === 'job_000' ? { id } : null) },
  } as unknown as Inspector
}

async function walk(deliveries: number, jobs: number, limit: number, kind?: 'delivery' | 'job'): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await listDeadLetters(inspector(deliveries, jobs), { tenantId: null, limit, cursor, kind })
    ids.push(...page.data.map(({ id }) => id))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  return ids
}

test('lists every delivery and job exactly once at any page size', async t => {
  for (const deliveries of [0, 1, 2, 3, 5])
    for (const jobs of [0, 1, 2, 4])
      for (const limit of [1, 2, 3, 10]) {
        const ids = await walk(deliveries, jobs, limit)
        t.is(ids.length, deliveries + jobs, `${deliveries} + ${jobs} by ${limit}`)
        t.deepEqual(ids, [...new Set(ids)].sort())
      }
})

test('filters by kind', async t => {
  t.true((await walk(3, 3, 2, 'delivery')).every(id => id.startsWith('dlv_')))
  t.true((await walk(3, 3, 2, 'job')).every(id => id.startsWith('job_')))
})

test('rejects a forged cursor', async t => {
  for (const cursor of ['x', Buffer.from('["delivery"]').toString('base64url')])
    await t.throwsAsync(listDeadLetters(inspector(1, 1), { tenantId: null, limit: 1, cursor }), {
      message: /belongs to another list/,
    })
})

test('retries a delivery or a job by its id', async t => {
  t.is((await retryDeadLetter(inspector(0, 1), 'job_000', null))?.kind, 'job')
  t.is(await retryDeadLetter(inspector(0, 1), 'dlv_000', null), null)
  t.is(await retryDeadLetter(inspector(0, 1), 'nonsense', null), null)
})

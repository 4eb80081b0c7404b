import test from 'ava'
import { startFixture } from './fixtures.ts'

test('readiness fails while the disk of uploads is nearly full', async t => {
  const { kernel, stop } = await startFixture({}, {}, { MIN_FREE_DISK_MB: '1000000000' })
  t.teardown(stop)
  const { status, body } = await kernel.get('/v1/health/readiness')
  t.is(status, 503)
  t.like(body.checks, { database: 'ok', database_disk: 'ok', 'media.disk': 'failed' })
})

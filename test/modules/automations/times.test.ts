import test from 'ava'
import { HOUR } from '../../../kernel/index.ts'
import { momentOf } from '../../../modules/automations/domain/times/moment.ts'
import { lastTime, nextTime, timeOfDay } from '../../../modules/automations/domain/times/zoned.ts'
import { connectOwner } from '../collections/fixtures.ts'
import { startDesk } from './fixtures.ts'

const BERLIN = 'Europe/Berlin'
const iso = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())

test('a time that the zone leaves out is the first minute after the gap', t => {
  t.is(iso(nextTime('30 2 * * *', BERLIN, Date.parse('2027-03-27T12:00:00Z'))), '2027-03-28T01:00:00.000Z')
  t.is(iso(nextTime('30 2 * * *', BERLIN, Date.parse('2027-03-28T01:00:00Z'))), '2027-03-29T00:30:00.000Z')
  t.is(iso(timeOfDay('2027-03-28', '02:30', BERLIN)), '2027-03-28T01:00:00.000Z')
})

test('a time that exists twice is one', t => {
  const first = nextTime('30 2 * * *', BERLIN, Date.parse('2026-10-24T12:00:00Z'))
  t.is(iso(first), '2026-10-25T00:30:00.000Z')
  t.is(iso(nextTime('30 2 * * *', BERLIN, first ?? 0)), '2026-10-26T01:30:00.000Z')
})

test('after an outage, the latest time counts', t => {
  const since = Date.parse('2026-01-01T00:00:00Z')
  t.is(iso(lastTime('0 8 * * *', 'UTC', since, since + 80 * HOUR)), '2026-01-04T08:00:00.000Z')
  t.is(lastTime('0 8 * * *', 'UTC', since, since + HOUR), undefined)
})

test('the latest time after years is found without walking through all of them', t => {
  const since = Date.parse('2000-01-01T00:00:00Z')
  const until = Date.parse('2027-03-28T04:00:00Z')
  t.is(iso(lastTime('*/5 * * * *', 'UTC', since, until)), '2027-03-28T04:00:00.000Z')
  t.is(iso(lastTime('30 2 * * *', BERLIN, since, until)), '2027-03-28T01:00:00.000Z')
})

test('whole days before a date keep the time of day, also if the zone changes its clocks in between', t => {
  const trigger = { kind: 'date', collection: 'tickets', field: 'day', at: '09:00', timeZone: BERLIN } as const
  const due = (offset: number, day: string) => iso(momentOf({ ...trigger, offset }, day)?.due)
  t.is(due(-24 * HOUR, '2027-03-28'), '2027-03-27T08:00:00.000Z')
  t.is(due(24 * HOUR, '2026-10-24'), '2026-10-25T08:00:00.000Z')
  t.is(due(-2 * HOUR, '2027-03-28'), '2027-03-28T05:00:00.000Z')
  const other = momentOf({ ...trigger, timeZone: 'America/New_York', offset: 0 }, '2027-03-28')
  t.is(iso(other?.due), '2027-03-28T13:00:00.000Z')
})

test('moments follow the date of their row, and are none for what has passed', async t => {
  const kernel = await startDesk({
    remind: { before: { field: 'tickets.due', by: '1h' }, steps: [{ 'desk.note': { text: 'Due: {{row.title}}' } }] },
  })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const owner = await connectOwner(t, kernel.databaseUrl)
  const dates = async () => {
    await kernel.settled()
    const rows = await owner.query<{ due_at: Date }>('select due_at from automations_dates')
    return rows.map(({ due_at }) => due_at.toISOString())
  }
  const { body } = await ada.post('/v1/data/tickets', { title: 'later', due: '2099-05-01T10:00:00Z' })
  const { id } = body as { id: string }
  await ada.post('/v1/data/tickets', { title: 'past', due: '2020-05-01T10:00:00Z' })
  t.deepEqual(await dates(), ['2099-05-01T09:00:00.000Z'])
  await ada.patch(`/v1/data/tickets/${id}`, { due: '2098-05-01T10:00:00Z' })
  t.deepEqual(await dates(), ['2098-05-01T09:00:00.000Z'])
  await ada.patch(`/v1/data/tickets/${id}`, { due: '2020-05-01T10:00:00Z' })
  t.deepEqual(await dates(), [])
  await ada.patch(`/v1/data/tickets/${id}`, { due: '2098-05-01T10:00:00Z' })
  t.is((await dates()).length, 1)
  await ada.delete(`/v1/data/tickets/${id}`)
  t.deepEqual(await dates(), [])
  t.deepEqual(await owner.query('select state from automations_runs'), [])
})

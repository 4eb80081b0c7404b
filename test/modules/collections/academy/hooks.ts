import { rowHooks } from '@larder-dev/larder/collections'
import { invalidField, wording } from '@larder-dev/larder/kernel'
import { type Deps, defineProblems } from '../../../../kernel/index.ts'
import { courses, enrolments, type Visit, visits } from './collections.ts'

export const problems = defineProblems({
  course_full: [409, 'Course {title} is full.'],
  room_taken: [409, 'The room {room} is taken.'],
})

/** Titles make the hooks misbehave. */
export function academyHooks({ collections, database }: Deps<'collections' | 'database'>) {
  const log = (tenantId: string, line: string) =>
    database.tenant(tenantId).query('insert into academy_log (tenant_id, line) values ($1, $2)', [tenantId, line])

  async function isTaken(tenantId: string, { room, starts, ends }: Pick<Visit, 'room' | 'starts' | 'ends'>, own = '') {
    const store = collections.rows(visits, { tenantId })
    const { data } = await store.list({ filter: { room, starts: { lt: ends }, ends: { gt: starts } } })
    return data.some(({ id }) => id !== own)
  }

  return [
    rowHooks(visits, {
      problems: [problems.room_taken],
      async validate({ values: { room, starts, ends }, before, tenantId }) {
        if (room === null || starts === null || ends === null) return undefined
        const taken = await isTaken(tenantId, { room, starts, ends }, before?.id)
        return { starts: taken ? 'overlaps another visit' : undefined }
      },
      async beforeRestore({ row, tenantId }) {
        if (await isTaken(tenantId, row)) throw problems.room_taken({ room: row.room })
      },
    }),
    rowHooks(courses, {
      problems: [problems.course_full, 'entitlement_exceeded'],
      async beforeCreate({ values, caller }) {
        if (values.title?.startsWith('Slow')) await new Promise(resolve => setTimeout(resolve, 60))
        if (values.title === 'Unknown field') return { colour: 'red' } as never
        if (values.title === 'Computed field') return { left: 1 } as never
        if (values.title === 'Pointed') throw invalidField('/title', 'odd', wording('is odd'))
        return { code: `C-${values.title?.length}`, ...(caller ? {} : { note: 'made by code' }) }
      },
      async beforeUpdate({ before, values, changed, tenantId }) {
        await log(tenantId, `${before.title} → ${values.title}: ${changed}`)
        return values.title === 'Upgraded' ? { level: 'advanced' as const } : undefined
      },
      compute: ({ values: { title, level } }) => ({ note: `${title} (${level})` }),
      validate: ({ values, before }) => ({
        title: values.title === 'Forbidden' ? 'must not be Forbidden' : undefined,
        seats: before && (values.seats ?? 0) < (before.booked ?? 0) ? `must be at least ${before.booked}` : undefined,
      }),
      async afterCreate({ row, tenantId, signal }) {
        await log(tenantId, `created ${row.title}`)
        if (row.title === 'Throws') throw new Error('a secret of the hook')
        if (row.title === 'Fails in SQL') await log(tenantId, null as never)
        if (row.title === 'Hangs')
          await new Promise(resolve => signal.addEventListener('abort', () => setTimeout(resolve, 50)))
        if (row.title === 'Hangs') await log(tenantId, 'too late')
        if (row.title.startsWith('Circle'))
          await collections.rows(courses, { tenantId }).create({ title: `${row.title}!`, seats: 1 })
      },
      async beforeDelete({ row }) {
        if (row.title === 'Kept') throw problems.course_full({ title: row.title })
      },
      async afterDelete({ row, tenantId }) {
        await log(tenantId, `deleted ${row.title}`)
      },
      async afterRestore({ row, tenantId }) {
        await log(tenantId, `restored ${row.title}`)
      },
    }),
    rowHooks(enrolments, {
      problems: [problems.course_full],
      async afterCreate({ row, tenantId }) {
        const store = collections.rows(courses, { tenantId })
        const { booked, seats, title, revision } = await store.getForUpdate(row.course)
        if (seats !== null && (booked ?? 0) >= seats) throw problems.course_full({ title })
        await store.update(row.course, { booked: (booked ?? 0) + 1 }, { revision })
      },
      async afterDelete({ row, tenantId }) {
        await log(tenantId, `deleted ${row.student}`)
      },
    }),
    rowHooks('topics', {
      beforeCreate: ({ values }) => ({
        name: String(values.name).toUpperCase(),
        ...(values.name === 'kept at once' && { stage: 'kept' }),
      }),
      beforeUpdate: ({ values }) => (values.name === 'New again' ? { stage: 'new' } : undefined),
      async afterCreate({ row, tenantId }) {
        if (row.name === 'TWICE') await collections.rows('topics', { tenantId }).create({ name: 'once more' })
      },
      async afterUpdate({ row, changed, tenantId }) {
        await log(tenantId, `${row.id}: ${changed}`)
      },
    }),
  ]
}

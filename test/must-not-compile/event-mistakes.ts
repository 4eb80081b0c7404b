import { type Deps, job, listener } from '../../kernel/index.ts'
import type {} from './ports.ts'

// expect: TS2345 a listener subscribes to an undeclared event
export const a = listener('visits.visit.mad', async () => {})
// expect: TS2339 a listener reads a field that the payload does not have
export const b = listener('visits.visit.made', async ({ payload }) => void payload.id)
// expect: TS2353 an event is published with another payload
export const c = ({ events }: Deps<'events'>) => events.publish('visits.visit.made', { payload: { id: '1' } })
// expect: TS2345 an undeclared job is defined
export const d = job('visits.digset', { run: async () => {} })
// expect: TS2339 a job reads a field that its data does not have
export const e = job('visits.digest', { run: async ({ until }) => void until })
// expect: TS2353 a job is enqueued with other data
export const f = ({ jobs }: Deps<'jobs'>) => jobs.enqueue('visits.digest', { until: 'now' })

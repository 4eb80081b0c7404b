import { type Deps, job, listener } from '../../kernel/index.ts'
import type {} from './ports.ts'

// expect: TS2345 an event is heard that nobody declared
export const a = listener('visits.visit.mad', async () => {})
// expect: TS2339 a listener reads a field that the payload lacks
export const b = listener('visits.visit.made', async ({ payload }) => void payload.id)
// expect: TS2353 an event is published with another payload
export const c = ({ events }: Deps<'events'>) => events.publish('visits.visit.made', { payload: { id: '1' } })
// expect: TS2345 a job is written that nobody declared
export const d = job('visits.digset', { run: async () => {} })
// expect: TS2339 a job reads a field that its data lacks
export const e = job('visits.digest', { run: async ({ until }) => void until })
// expect: TS2353 a job is asked for with other data
export const f = ({ jobs }: Deps<'jobs'>) => jobs.enqueue('visits.digest', { until: 'now' })

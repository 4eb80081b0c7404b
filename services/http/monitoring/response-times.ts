/** Response times of the last 24 hours of this process, in memory. */
import { HOUR, type Registrations } from '@larder-dev/larder/kernel'

const HOURS = 24
/** Each bucket is 19% wider than the one before: 2^(1/4). The first holds up to 0.1 ms, the last everything above 80 s. */
const BUCKETS = 80
const FIRST_MS = 0.1
const STEPS_PER_DOUBLING = 4
const PERCENTILE = 0.95

export interface ResponseTimes {
  add(ms: number): void
  /** The time within which 95% of the requests of each hour were answered, in milliseconds; accurate to 19%. */
  percentiles(): readonly { readonly at: Date; readonly value: number }[]
}

export function createResponseTimes(now: () => number = Date.now): ResponseTimes {
  const slots = Array.from({ length: HOURS }, () => ({ hour: -1, buckets: new Uint32Array(BUCKETS) }))
  return {
    add(ms) {
      const hour = Math.floor(now() / HOUR)
      const slot = slots[hour % HOURS] as (typeof slots)[number]
      if (slot.hour !== hour) {
        slot.hour = hour
        slot.buckets.fill(0)
      }
      const bucket = Math.ceil(Math.log2(Math.max(ms, FIRST_MS) / FIRST_MS) * STEPS_PER_DOUBLING)
      const index = Math.min(bucket, BUCKETS - 1)
      slot.buckets[index] = (slot.buckets[index] as number) + 1
    },
    percentiles() {
      const current = Math.floor(now() / HOUR)
      return slots
        .filter(({ hour }) => hour > current - HOURS)
        .sort((a, b) => a.hour - b.hour)
        .map(({ hour, buckets }) => ({ at: new Date(hour * HOUR), value: percentileOf(buckets) }))
    },
  }
}

function percentileOf(buckets: Uint32Array): number {
  const wanted = buckets.reduce((sum, count) => sum + count, 0) * PERCENTILE
  let index = 0
  for (let seen = buckets[0] as number; seen < wanted; seen += buckets[index] as number) index++
  return Math.round(FIRST_MS * 2 ** (index / STEPS_PER_DOUBLING) * 10) / 10
}

export const statistics = ({
  http,
}: {
  readonly http: { readonly responseTimes: Pick<ResponseTimes, 'percentiles'> }
}): Registrations['statistics'] => [
  {
    name: 'response-time',
    title: { en: 'Response time (95%)', de: 'Antwortzeit (95 %)' },
    unit: 'milliseconds',
    step: 'hour',
    summary: 'latest',
    scopes: ['installation'],
    perProcess: true,
    read: async () => http.responseTimes.percentiles(),
  },
]

/** The registration `statistics`. Types only. */
import type { LocalText } from '@larder-dev/larder/kernel'

/** The time range of a chart. */
export interface StatisticRange {
  /** Null selects all tenants. */
  readonly tenantId: string | null
  /** Start of the first day or hour (UTC). */
  readonly since: Date
  /** An ID with this prefix from just before `since`: rows with smaller IDs are older. */
  idBefore(prefix: string): string
}
/** The value of the day or hour (UTC) that starts at `at`. */
export interface StatisticPoint {
  readonly at: Date
  readonly value: number
}

/** A number per day or hour, for a chart. */
export interface Statistic {
  /** Unique in its module. */
  readonly name: string
  readonly title: LocalText
  /** Days and hours without a point count 0; without a duration they are null. */
  readonly unit: 'count' | 'milliseconds'
  readonly step: 'day' | 'hour'
  /** The number that stands for all points: their sum by default. A person counts on several days, so use `latest`. */
  readonly summary?: 'sum' | 'latest'
  readonly scopes: readonly ('tenant' | 'installation')[]
  /** Whether each process has its own values, from its start. */
  readonly perProcess?: boolean
  read(range: StatisticRange): Promise<readonly StatisticPoint[]>
}

/** Numbers per day or hour that modules and services register under `statistics`. */
import { DAY, type Deps, HOUR, once, type Registrations, SECOND } from '@larder-dev/larder/kernel'
import { firstId } from '@larder-dev/larder/kernel/internal'
import type { ListedStatistic } from '../records/statistic.ts'

type Statistic = Registrations['statistics'][number]
type StatisticRange = Parameters<Statistic['read']>[0]

const STEPS = { day: { length: DAY, count: 14 }, hour: { length: HOUR, count: 24 } } as const
/** Numbers of a busy workspace are scans of two weeks of events. */
const MAX_AGE_MS = 30 * SECOND
const MAX_CACHED_SERIES = 1000

interface Point {
  readonly at: string
  readonly value: number | null
}

export interface Statistics {
  /** @param tenantId null for the whole installation. */
  list(tenantId: string | null, locale: string): Promise<ListedStatistic[]>
}

export function createStatistics({
  registry,
  theme,
  clock,
  log,
  caches,
}: Deps<'registry' | 'theme' | 'clock' | 'log' | 'caches'>): Statistics {
  const registered = once(() =>
    registry
      .collect<readonly Statistic[]>('statistics')
      .flatMap(({ key, value }) => value.map(statistic => ({ id: `${key}.${statistic.name}`, statistic }))),
  )

  const cache = caches.create<readonly Point[]>({
    name: 'platform.statistics',
    isOf: (tenantId, key) => key.endsWith(` ${tenantId}`),
    maxWeight: MAX_CACHED_SERIES,
    expiry: { clock, lifeMs: MAX_AGE_MS },
  })

  async function readPoints(statistic: Statistic, tenantId: string | null): Promise<readonly Point[]> {
    const { unit, step } = statistic
    const { length, count } = STEPS[step]
    const first = (Math.floor(clock.now() / length) - count + 1) * length
    const found = await statistic.read(rangeFrom(first, tenantId))
    const values = new Map(found.map(({ at, value }) => [at.getTime(), value]))
    const missing = unit === 'count' ? 0 : null
    return Array.from({ length: count }, (_, index) => {
      const at = first + index * length
      return { at: new Date(at).toISOString(), value: values.get(at) ?? missing }
    })
  }

  /** No series if it can't be read: the others are still useful. */
  async function listOne(id: string, statistic: Statistic, tenantId: string | null, locale: string) {
    const { title, unit, step, summary = 'sum', perProcess = false } = statistic
    try {
      const points = await cache.get(`${id} ${tenantId ?? ''}`, () => readPoints(statistic, tenantId))
      return [{ id, title: theme.text(locale, title), unit, step, summary, perProcess, points: [...points] }]
    } catch (err) {
      log.warn({ err, statistic: id }, 'failed to read a statistic')
      return []
    }
  }

  function rangeFrom(first: number, tenantId: string | null): StatisticRange {
    // IDs contain the time of the system, which the clock of a test may not follow.
    const created = Date.now() - (clock.now() - first)
    return { tenantId, since: new Date(first), idBefore: prefix => firstId(prefix, created) }
  }

  return {
    async list(tenantId, locale) {
      const scope = tenantId === null ? 'installation' : 'tenant'
      const wanted = registered().filter(({ statistic }) => statistic.scopes.includes(scope))
      return (await Promise.all(wanted.map(({ id, statistic }) => listOne(id, statistic, tenantId, locale)))).flat()
    },
  }
}

import { type Deps, route } from '@larder-dev/larder/kernel'
import { LEVELS, type LogLine, LogQuery, logFilters, RecentLog } from './log-schemas.ts'

const DEFAULT_LIMIT = 200
const INFO = 2
type LogEntry = ReturnType<Deps<'recentLog'>['recentLog']['list']>['entries'][number]

export const logRoutes = ({ inspector, recentLog }: Deps<'inspector' | 'recentLog'>) => [
  route({
    method: 'get',
    path: '/platform/logs',
    operationId: 'listLogLines',
    summary: 'Lists the newest log lines of the process that answers, up to one hour old.',
    description: 'Successful requests of this route are left out.',
    allow: 'platform.log.read',
    query: LogQuery,
    filters: logFilters,
    replies: { 200: RecentLog },
    async handle({ query: { q, limit = DEFAULT_LIMIT }, filters: { level = 'trace', requestId, since, until } }) {
      const { entries, hasMore } = recentLog.list({
        minLevel: numberOf(level),
        text: q,
        requestId,
        since: since === undefined ? undefined : Date.parse(since),
        until: until === undefined ? undefined : Date.parse(until),
        accepts: isForeign,
        limit,
      })
      const { role, startedAt } = inspector.info()
      return {
        process: { id: recentLog.process, role, startedAt },
        data: entries.map(entry => ({ ...entry, level: nameOf(entry.level) })),
        hasMore,
      }
    },
  }),
]

const numberOf = (level: LogLine['level']): number => (LEVELS.indexOf(level) + 1) * 10
const nameOf = (level: number): LogLine['level'] => LEVELS[Math.floor(level / 10) - 1] ?? LEVELS[INFO]

/** False for requests of this route: a person who watches the log would see little else. */
const isForeign = ({ fields: { path, status } }: LogEntry): boolean => path !== '/v1/platform/logs' || status !== 200

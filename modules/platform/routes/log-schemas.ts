import { Nullable, named, OneOf, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'

/** The levels of pino, lowest first. */
export const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

export const LogQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Text anywhere in the line, without regard to case' }),
  ),
})
export const logFilters = {
  level: OneOf(LEVELS, { description: 'The lowest level' }),
  requestId: Type.String({ minLength: 1, maxLength: 128 }),
  since: Timestamp,
  until: Timestamp,
}

export const RecentLog = named(
  'RecentLog',
  Type.Object({
    process: named(
      'LogProcess',
      Type.Object(
        {
          id: Type.String({ description: 'Host name and process ID' }),
          role: OneOf(['all', 'web', 'worker']),
          startedAt: Timestamp,
        },
        { description: 'The process that answers; the lines are its own' },
      ),
    ),
    data: Type.Array(
      named(
        'LogLine',
        Type.Object({
          id: Type.String({ description: 'Unique over all processes' }),
          at: Timestamp,
          level: OneOf(LEVELS),
          message: Type.String(),
          requestId: Nullable(Type.String()),
          fields: Type.Record(Type.String(), Type.Unknown()),
        }),
      ),
      { description: 'Newest first' },
    ),
    hasMore: Type.Boolean({ description: 'Whether older lines match' }),
  }),
)
export type LogLine = Static<typeof RecentLog>['data'][number]

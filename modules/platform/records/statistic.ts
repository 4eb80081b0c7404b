import { Nullable, named, OneOf, type Static, Timestamp, Type } from '@larder-dev/larder/kernel'

export const ListedStatistic = named(
  'Statistic',
  Type.Object({
    id: Type.String({ description: '`<module>.<name>`' }),
    title: Type.String(),
    unit: OneOf(['count', 'milliseconds']),
    step: OneOf(['day', 'hour']),
    summary: OneOf(['sum', 'latest'], { description: 'The number that stands for all points' }),
    perProcess: Type.Boolean({ description: 'Whether the values are those of the process that answers' }),
    points: Type.Array(
      named(
        'StatisticPoint',
        Type.Object({ at: Timestamp, value: Nullable(Type.Number({ description: 'Null without a measurement' })) }),
      ),
      { description: 'The last 14 days or 24 hours (UTC), oldest first' },
    ),
  }),
)
export type ListedStatistic = Static<typeof ListedStatistic>

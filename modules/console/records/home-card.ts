import { Nullable, named, OneOf, PERIOD_STEPS, type Static, Type } from '@larder-dev/larder/kernel'

const HomeCardFilter = named(
  'HomeCardFilter',
  Type.Object({ name: Type.String({ examples: ['filter[status]'] }), value: Type.String() }),
)

export const HomeCard = named(
  'HomeCard',
  Type.Object({
    id: Type.String({ description: 'Identifies the card in this answer' }),
    kind: OneOf(['count', 'chart']),
    title: Nullable(Type.String({ description: 'null: that of the resource' })),
    resource: Type.String({ description: 'Id of the resource whose records it counts: `collections.tickets`' }),
    filters: Type.Array(HomeCardFilter, {
      description: 'Parameters of the list. A list of values is several parameters of one name',
    }),
    by: Nullable(OneOf([...PERIOD_STEPS], { description: 'Steps of a chart' })),
    time: Nullable(Type.String({ description: 'Field of the time of a chart; null for the creation' })),
    sum: Nullable(Type.String({ description: 'Field that a chart adds up; null if it counts rows' })),
  }),
)
export type HomeCard = Static<typeof HomeCard>

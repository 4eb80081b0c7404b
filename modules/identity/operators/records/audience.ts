import { Nullable, OneOf, Type, table } from '@larder-dev/larder/kernel'

/** The audience with which people signed up, and the role that they got. One row. */
export const audienceTable = table(
  'identity_audience',
  Type.Object({ id: Type.Boolean(), audience: OneOf(['teams', 'people']), customerRole: Nullable(Type.String()) }),
  { what: 'audience' },
)

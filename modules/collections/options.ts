import { type Static, Type } from '@larder-dev/larder/kernel'

export const CollectionsOptions = Type.Object(
  {
    guestRows: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 10_000,
      description:
        'Rows that people who are not signed in can have in a collection of a workspace, outside the trash. They do not count toward limits of plans',
    }),
  },
  { additionalProperties: false },
)
export type CollectionsOptions = Static<typeof CollectionsOptions>

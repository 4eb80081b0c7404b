import { type Static, Type } from '@larder-dev/larder/kernel'
import type { OptionalPackage } from '@larder-dev/larder/kernel/internal'

export const CollectionsOptions = Type.Object(
  {
    guestRows: Type.Integer({
      minimum: 0,
      maximum: 1_000_000,
      default: 10_000,
      description:
        'Rows that people who are not signed in can have in a collection of a workspace, outside the trash. They do not count toward limits of plans',
    }),
    guestProof: Type.Optional(
      Type.Object(
        {
          tries: Type.Integer({
            minimum: 10,
            maximum: 10_000,
            default: 250,
            description:
              'Tries that a solution takes on average. 250 take a computer less than a second, and a slow phone a few',
          }),
          collections: Type.Optional(
            Type.Array(Type.String({ minLength: 1 }), {
              minItems: 1,
              uniqueItems: true,
              description:
                'Collections whose rows need it; by default all in which people who are not signed in create rows',
              examples: [['tickets']],
            }),
          ),
        },
        {
          additionalProperties: false,
          description: 'A small task for the computer of people who are not signed in, for each row that they create',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
export type CollectionsOptions = Static<typeof CollectionsOptions>

export const packagesFor = ({ guestProof }: CollectionsOptions): OptionalPackage[] => (guestProof ? ['altcha-lib'] : [])

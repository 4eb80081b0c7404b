import { DURATION_PATTERN, type Static, Type } from 'larder/kernel'

const closed = { additionalProperties: false }
const Duration = (standard: string, description: string) =>
  Type.String({ pattern: DURATION_PATTERN, default: standard, description })

export const FormsOptions = Type.Object(
  {
    spam: Type.Object(
      {
        minFill: Duration('1s', 'Whoever sends a form sooner than this after it was shown is taken for a machine'),
        duplicates: Duration('1h', 'The same entry again from the same address within this time is spam; 0s: never'),
        requireToken: Type.Boolean({
          default: false,
          description: 'Whether what the public sends without the token of a shown form is spam',
        }),
      },
      { ...closed, default: {} },
    ),
  },
  closed,
)
export type FormsOptions = Static<typeof FormsOptions>

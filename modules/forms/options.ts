import { DURATION_PATTERN, type Static, Type } from '@larder-dev/larder/kernel'

const closed = { additionalProperties: false }
const Duration = (defaultValue: string, description: string) =>
  Type.String({ pattern: DURATION_PATTERN, default: defaultValue, description })

export const FormsOptions = Type.Object(
  {
    spam: Type.Object(
      {
        minFill: Duration('1s', 'A form submitted sooner than this after it was shown is spam'),
        duplicates: Duration(
          '1h',
          'An equal entry from the same address within this time is spam; 0s disables the check',
        ),
        requireToken: Type.Boolean({
          default: false,
          description: 'Whether a public submission without the token of a shown form is spam',
        }),
      },
      { ...closed, default: {} },
    ),
  },
  closed,
)
export type FormsOptions = Static<typeof FormsOptions>

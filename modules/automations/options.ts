/** `modules.automations` of the recipe. */
import { milliseconds, POSITIVE_DURATION_PATTERN, type Static, Type } from '@larder-dev/larder/kernel'

export const Options = Type.Object({
  keep: Type.String({
    pattern: POSITIVE_DURATION_PATTERN,
    default: '30d',
    description: 'How long runs are kept after their end',
    examples: ['90d'],
  }),
})
export type Options = Static<typeof Options>

/** Milliseconds. */
export const keepMs = ({ keep }: Options): number => milliseconds(keep)

import { type Static, Type } from '@larder-dev/larder/kernel'

export const Options = Type.Object({
  dueDays: Type.Integer({ minimum: 1, maximum: 365, default: 14, description: 'Days from sending to the due date' }),
})
export type Options = Static<typeof Options>

/** Collects the mistakes in values. */
import { Problem, type Static, type TSchema } from '@larder-dev/larder/kernel'
import { createValidator, type FieldErrors } from '@larder-dev/larder/kernel/internal'

export interface Check {
  readonly mistakes: readonly string[]
  add(mistake: string): void
  value(schema: TSchema, value: unknown, place: string): void
}
export function createCheck(): Check {
  const validator = createValidator()
  const mistakes: string[] = []
  return {
    mistakes,
    add: mistake => mistakes.push(mistake),
    value(schema, value, place) {
      try {
        validator.body(schema)(structuredClone(value))
      } catch (error) {
        if (!Problem.is(error)) throw error
        const { errors = [] } = error.extras as { errors?: Static<typeof FieldErrors> }
        for (const { pointer, detail } of errors) mistakes.push(`${dotted(place + pointer)} ${detail}`)
      }
    },
  }
}

/** `row/count` → `row.count` */
const dotted = (pointer: string): string => pointer.replace(/^\//, '').replaceAll('/', '.')

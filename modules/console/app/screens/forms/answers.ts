/** The answers of submissions, in the order of their form. Pure. */
import type { LocalText } from '@larder-dev/larder/console'
import { choicesOf, isRecord, localTextOf, orderOf } from './form-schema.ts'
import type { Json } from './questions.ts'

/** The columns of a table of submissions. */
export interface AnswerColumn {
  readonly path: readonly string[]
  readonly title: string
  /** The text of an answer that is one of the choices. */
  textOf(value: unknown): string | undefined
}
type Translate = (text: LocalText) => string

/** Answers in the order of the form; groups become one column for each of their answers. */
export function answerColumns(
  schema: unknown,
  uiSchema: unknown,
  translate: Translate,
  above: readonly string[] = [],
): AnswerColumn[] {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}
  const ui = isRecord(uiSchema) ? uiSchema : {}
  return orderOf(Object.keys(properties), ui['ui:order']).flatMap(key => {
    const given = properties[key]
    const property: Json = isRecord(given) ? given : {}
    const path = [...above, key]
    const own = isRecord(ui[key]) ? ui[key] : {}
    if (isRecord(property.properties)) return answerColumns(property, own, translate, path)
    const title = translate(localTextOf(own['ui:title'])) || translate(localTextOf(property.title)) || words(key)
    const choices = choicesOf(property, own)
    return [
      {
        path,
        title,
        textOf(value) {
          const found = choices.find(choice => choice.value === value)
          return found && translate(found.label)
        },
      },
    ]
  })
}
const words = (key: string): string => {
  const spaced = key.replace(/[_-]+/g, ' ').replace(/([a-z\d])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
export const answerAt = (data: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), data)

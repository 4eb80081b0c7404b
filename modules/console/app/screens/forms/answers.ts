/** The answers of submissions, in the order of their form. Pure. */
import { isRecord, orderOf, textOf } from './form-schema.ts'

/** The columns of a table of submissions. */
export interface AnswerColumn {
  readonly path: readonly string[]
  readonly title: string
}
/** Answers in the order of the form; groups become one column for each of their answers. */
export function answerColumns(schema: unknown, uiSchema: unknown, above: readonly string[] = []): AnswerColumn[] {
  const properties = isRecord(schema) && isRecord(schema.properties) ? schema.properties : {}
  const ui = isRecord(uiSchema) ? uiSchema : {}
  return orderOf(Object.keys(properties), ui['ui:order']).flatMap(key => {
    const property = properties[key]
    const path = [...above, key]
    const own = isRecord(ui[key]) ? ui[key] : {}
    if (isRecord(property) && isRecord(property.properties)) return answerColumns(property, own, path)
    const title = textOf(own['ui:title']) || (isRecord(property) ? textOf(property.title) : '')
    return [{ path, title: title || words(key) }]
  })
}
const words = (key: string): string => {
  const spaced = key.replace(/[_-]+/g, ' ').replace(/([a-z\d])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`)
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
export const answerAt = (data: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), data)

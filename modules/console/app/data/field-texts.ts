/** Labels, hints and words for the values of fields, as a resource names them in the language of the console. Pure. */
import type { Field } from './form-model.ts'

type States = Readonly<Record<string, Readonly<Record<string, { readonly title: string }>>>>

export interface ResourceTexts {
  /** By the names of properties and filters. */
  readonly labels: Readonly<Record<string, string>>
  /** Translations of descriptions in the API document. */
  readonly hints: Readonly<Record<string, string>>
  /** Property → its values in words. */
  readonly states: States
}

/** @param language of the console. Descriptions are in English: without a translation, other languages show none. */
export const withTexts = (fields: readonly Field[], texts: ResourceTexts, language: string): Field[] =>
  fields.map(field => {
    const { name, title, description = '', item } = field
    const words = texts.states[name]
    return {
      ...field,
      ...choicesOf(field, words),
      title: texts.labels[name] ?? title,
      description: texts.hints[description] ?? (language === 'en' ? field.description : undefined),
      words: words ?? field.words,
      fields: withTexts(field.fields, texts, language),
      item: item && withTexts([item], texts, language)[0],
    }
  })

/** A key that has words is chosen from the examples of its schema instead of typed. */
function choicesOf({ kind, schema: { examples = [] } }: Field, words: States[string] | undefined) {
  const options = examples.map(String).filter(key => words && Object.hasOwn(words, key))
  return kind === 'text' && options.length > 0 ? { kind: 'enum' as const, options } : {}
}

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
    return {
      ...field,
      title: texts.labels[name] ?? title,
      description: texts.hints[description] ?? (language === 'en' ? field.description : undefined),
      words: texts.states[name] ?? field.words,
      fields: withTexts(field.fields, texts, language),
      item: item && withTexts([item], texts, language)[0],
    }
  })

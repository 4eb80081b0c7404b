/** Labels and hints of fields, as a resource names them in the language of the console. Pure. */
import type { Field } from './form-model.ts'

export interface ResourceTexts {
  /** By the names of properties and filters. */
  readonly labels: Readonly<Record<string, string>>
  /** Translations of descriptions in the API document. */
  readonly hints: Readonly<Record<string, string>>
}

/** @param language of the console. Descriptions are in English: without a translation, other languages show none. */
export const withTexts = (fields: readonly Field[], texts: ResourceTexts, language: string): Field[] =>
  fields.map(field => {
    const { name, title, description = '', item } = field
    return {
      ...field,
      title: texts.labels[name] ?? title,
      description: texts.hints[description] ?? (language === 'en' ? field.description : undefined),
      fields: withTexts(field.fields, texts, language),
      item: item && withTexts([item], texts, language)[0],
    }
  })

/** Texts of fields and errors on form pages. The translation files hold the others. Pure. */
import { type FieldError, type Wording, wording } from '@larder-dev/larder/kernel'
import type { Field, ValueFormat } from '../domain/field-model.ts'

export interface FormTexts {
  readonly hints: Readonly<Partial<Record<ValueFormat, string>>>
  readonly values: Readonly<Record<'true' | 'false' | 'null', string>>
  /** Precedes the name of the form in the title of a page with errors. */
  readonly error: string
}

const EN: FormTexts = {
  hints: { lines: 'One per line.', json: 'Enter JSON.', 'date-time': 'In UTC.', time: 'In UTC.' },
  values: { true: 'Yes', false: 'No', null: 'None' },
  error: 'Error',
}

const DE: FormTexts = {
  hints: { lines: 'Ein Eintrag pro Zeile.', json: 'Geben Sie JSON ein.', 'date-time': 'In UTC.', time: 'In UTC.' },
  values: { true: 'Ja', false: 'Nein', null: 'Keine Angabe' },
  error: 'Fehler',
}

/** `de-AT` gets the texts of `de`; other languages than German get English. */
export const textsFor = (locale: string): FormTexts => (locale.split('-')[0] === 'de' ? DE : EN)

/** Errors of a wrong format, by the type of the input. */
const FORMATS: Readonly<Record<string, Wording>> = {
  email: wording('must be an email address, like name@example.com'),
  url: wording('must be a URL, like https://example.com'),
  date: wording('must be a date, like 2026-01-31'),
  time: wording('must be a time, like 09:30'),
  'datetime-local': wording('must be a date and time, like 2026-01-31T09:30'),
}
/** What people read instead of the wording of validation. */
const BY_CODE: Readonly<Record<string, Wording>> = {
  duplicate: wording('must not contain duplicates'),
  too_costly: wording('is too long. Shorten your answers'),
}

/** The error of a value without an input. */
export const plainWording = ({ code, wording: given }: FieldError): Wording => BY_CODE[code] ?? given

/** The error in terms of the field, for readers who don't know the schema. @param choices labels of the options */
export function fieldWording({ widget, type }: Pick<Field, 'widget' | 'type'>, error: FieldError, choices: string[]) {
  const { code } = error
  if (widget === 'checkbox' && code !== 'required') return wording('must be checked')
  if ((widget === 'select' || widget === 'radios') && code !== 'required')
    return wording('must be one of {choices}', { choices })
  if (code === 'wrong_format') return FORMATS[type] ?? wording('has an invalid format')
  return plainWording(error)
}

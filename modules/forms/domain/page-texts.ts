/** Texts of fields and errors on form pages. Pure. */
import { defineTexts, type FieldError, type Wording, wording } from '@larder-dev/larder/kernel'
import type { Field, ValueFormat } from './field-model.ts'

export interface FormTexts {
  readonly hints: Readonly<Partial<Record<ValueFormat, string>>>
  readonly values: Readonly<Record<'true' | 'false' | 'null', string>>
  /** Precedes the name of the form in the title of a page with errors. */
  readonly error: string
}

const HINTS = defineTexts({ lines: 'One per line.', json: 'Enter JSON.', utc: 'In UTC.' })
const VALUES = defineTexts({ true: 'Yes', false: 'No', null: 'None' })
const ERROR = defineTexts('Error')

/** @param say translates a text into the reader's language */
export const formTexts = (say: (text: string) => string): FormTexts => ({
  hints: {
    lines: say(HINTS.lines),
    json: say(HINTS.json),
    'date-time': say(HINTS.utc),
    time: say(HINTS.utc),
  },
  values: { true: say(VALUES.true), false: say(VALUES.false), null: say(VALUES.null) },
  error: say(ERROR),
})

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

/** Texts of fields and errors on form pages. The translation files hold the others. Pure. */
import type { ValueFormat } from '../domain/field-model.ts'

export interface FormTexts {
  /** Errors of a wrong format, by the type of the input. */
  readonly formats: Readonly<Record<string, string>>
  readonly invalidFormat: string
  readonly checked: string
  /** Followed by the choices. */
  readonly oneOf: string
  /** By the code of the error. */
  readonly byCode: Readonly<Partial<Record<string, string>>>
  /** By ajv's message, for readers who don't know the schema. Each ends a sentence. English ones are those of `formWords`. */
  readonly byDetail: readonly (readonly [detail: RegExp, text: string])[]
  /** For all other errors; undefined uses the words of `formWords`. */
  readonly fallback: string | undefined
  readonly hints: Readonly<Partial<Record<ValueFormat, string>>>
  readonly values: Readonly<Record<'true' | 'false' | 'null', string>>
  /** Precedes the name of the form in the title of a page with errors. */
  readonly error: string
  /** Subject of an error that concerns no field. */
  readonly form: string
}

const EN: FormTexts = {
  formats: {
    email: 'must be an email address, like name@example.com',
    url: 'must be a URL, like https://example.com',
    date: 'must be a date, like 2026-01-31',
    time: 'must be a time, like 09:30',
    'datetime-local': 'must be a date and time, like 2026-01-31T09:30',
  },
  invalidFormat: 'has an invalid format',
  checked: 'must be checked',
  oneOf: 'must be one of',
  byCode: { duplicate: 'must not contain duplicates', too_costly: 'is too long. Shorten your answers' },
  byDetail: [],
  fallback: undefined,
  hints: { lines: 'One per line.', json: 'Enter JSON.', 'date-time': 'In UTC.', time: 'In UTC.' },
  values: { true: 'Yes', false: 'No', null: 'None' },
  error: 'Error',
  form: 'The form',
}

const DE: FormTexts = {
  formats: {
    email: 'muss eine E-Mail-Adresse sein, zum Beispiel name@example.com',
    url: 'muss eine URL sein, zum Beispiel https://example.com',
    date: 'muss ein Datum sein, zum Beispiel 2026-01-31',
    time: 'muss eine Uhrzeit sein, zum Beispiel 09:30',
    'datetime-local': 'muss ein Datum mit Uhrzeit sein, zum Beispiel 2026-01-31T09:30',
  },
  invalidFormat: 'hat ein ungültiges Format',
  checked: 'muss angekreuzt sein',
  oneOf: 'muss einer dieser Werte sein:',
  byCode: {
    required: 'ist erforderlich',
    unknown_field: 'ist unbekannt',
    duplicate: 'darf keine Duplikate enthalten',
    too_costly: 'ist zu umfangreich. Kürzen Sie Ihre Eingaben',
  },
  byDetail: [
    [/^must be one of (.+)$/, 'muss einer dieser Werte sein: $1'],
    [/^must not have fewer than (\d+) characters?$/, 'muss mindestens $1 Zeichen lang sein'],
    [/^must not have more than (\d+) characters?$/, 'darf höchstens $1 Zeichen lang sein'],
    [/^must not have fewer than (\d+) (?:items|properties)$/, 'muss mindestens $1 haben'],
    [/^must not have more than (\d+) (?:items|properties)$/, 'darf höchstens $1 haben'],
    [/^must be >= (.+)$/, 'muss mindestens $1 sein'],
    [/^must be <= (.+)$/, 'darf höchstens $1 sein'],
    [/^must be > (.+)$/, 'muss größer als $1 sein'],
    [/^must be < (.+)$/, 'muss kleiner als $1 sein'],
    [/^must be multiple of (.+)$/, 'muss ein Vielfaches von $1 sein'],
    [/^must be integer$/, 'muss eine ganze Zahl sein'],
    [/^must be number$/, 'muss eine Zahl sein'],
    [/^has more than (\d+) values$/, 'hat mehr als $1 Werte'],
  ],
  fallback: 'ist ungültig',
  hints: { lines: 'Ein Eintrag pro Zeile.', json: 'Geben Sie JSON ein.', 'date-time': 'In UTC.', time: 'In UTC.' },
  values: { true: 'Ja', false: 'Nein', null: 'Keine Angabe' },
  error: 'Fehler',
  form: 'Das Formular',
}

/** `de-AT` gets the texts of `de`; other languages than German get English. */
export const textsFor = (locale: string): FormTexts => (locale.split('-')[0] === 'de' ? DE : EN)

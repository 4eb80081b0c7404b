/** What a form's page says of itself, in the languages that we speak; the theme's texts hold the rest. Pure. */
import type { Reading } from '../domain/field-model.ts'

export interface Words {
  /** By the type of an input. */
  readonly formats: Readonly<Record<string, string>>
  readonly otherFormat: string
  readonly ticked: string
  /** Followed by the choices. */
  readonly oneOf: string
  /** What the validator says → the same for somebody who never saw a schema. Each ends a sentence. */
  readonly says: readonly (readonly [says: RegExp, plain: string])[]
  /** For what none of `says` knows; undefined: as the validator says it. */
  readonly otherwise: string | undefined
  readonly hints: Readonly<Partial<Record<Reading, string>>>
  readonly values: Readonly<Record<'true' | 'false' | 'null', string>>
  /** Before the name of a form, in the title of a page that shows errors. */
  readonly error: string
  /** Stands for a field where none is to blame. */
  readonly whole: string
}

const EN: Words = {
  formats: {
    email: 'must be an email address, like name@example.com',
    url: 'must be a URL, like https://example.com',
    date: 'must be a date, like 2026-01-31',
    time: 'must be a time, like 09:30',
    'datetime-local': 'must be a date and time, like 2026-01-31T09:30',
  },
  otherFormat: 'has an invalid format',
  ticked: 'must be checked',
  oneOf: 'must be one of',
  says: [
    [/^must not have fewer than (\d+) characters$/, 'must have at least $1 characters'],
    [/^must not have more than (\d+) characters$/, 'must have at most $1 characters'],
    [/^must not have fewer than (\d+) items$/, 'must have at least $1'],
    [/^must not have more than (\d+) items$/, 'must have at most $1'],
    [/^must hold nothing twice.*$/, 'must not contain duplicates'],
    [/^must be >= (.+)$/, 'must be $1 or more'],
    [/^must be <= (.+)$/, 'must be $1 or less'],
    [/^must be > (.+)$/, 'must be greater than $1'],
    [/^must be < (.+)$/, 'must be less than $1'],
    [/^must be multiple of (.+)$/, 'must be a multiple of $1'],
    [/^must be integer$/, 'must be a whole number'],
    [/^must be number$/, 'must be a number'],
  ],
  otherwise: undefined,
  hints: { lines: 'One per line.', json: 'Enter JSON.', 'date-time': 'In UTC.', time: 'In UTC.' },
  values: { true: 'Yes', false: 'No', null: 'None' },
  error: 'Error',
  whole: 'The form',
}

const DE: Words = {
  formats: {
    email: 'muss eine E-Mail-Adresse sein, zum Beispiel name@example.com',
    url: 'muss eine URL sein, zum Beispiel https://example.com',
    date: 'muss ein Datum sein, zum Beispiel 2026-01-31',
    time: 'muss eine Uhrzeit sein, zum Beispiel 09:30',
    'datetime-local': 'muss ein Datum mit Uhrzeit sein, zum Beispiel 2026-01-31T09:30',
  },
  otherFormat: 'hat ein ungültiges Format',
  ticked: 'muss angekreuzt sein',
  oneOf: 'muss einer dieser Werte sein:',
  says: [
    [/^is required$/, 'ist erforderlich'],
    [/^is not known here$/, 'ist unbekannt'],
    [/^must be one of (.+)$/, 'muss einer dieser Werte sein: $1'],
    [/^must not have fewer than (\d+) characters$/, 'muss mindestens $1 Zeichen lang sein'],
    [/^must not have more than (\d+) characters$/, 'darf höchstens $1 Zeichen lang sein'],
    [/^must not have fewer than (\d+) (?:items|properties)$/, 'muss mindestens $1 haben'],
    [/^must not have more than (\d+) (?:items|properties)$/, 'darf höchstens $1 haben'],
    [/^must hold nothing twice.*$/, 'darf keine Duplikate enthalten'],
    [/^must be >= (.+)$/, 'muss mindestens $1 sein'],
    [/^must be <= (.+)$/, 'darf höchstens $1 sein'],
    [/^must be > (.+)$/, 'muss größer als $1 sein'],
    [/^must be < (.+)$/, 'muss kleiner als $1 sein'],
    [/^must be multiple of (.+)$/, 'muss ein Vielfaches von $1 sein'],
    [/^must be integer$/, 'muss eine ganze Zahl sein'],
    [/^must be number$/, 'muss eine Zahl sein'],
    [/^has more than (\d+) values$/, 'hat mehr als $1 Werte'],
  ],
  otherwise: 'ist ungültig',
  hints: { lines: 'Ein Eintrag pro Zeile.', json: 'Geben Sie JSON ein.', 'date-time': 'In UTC.', time: 'In UTC.' },
  values: { true: 'Ja', false: 'Nein', null: 'Keine Angabe' },
  error: 'Fehler',
  whole: 'Das Formular',
}

/** Of `de-AT` those of `de`; English for a language that we do not speak. */
export const wordsOf = (locale: string): Words => (locale.split('-')[0] === 'de' ? DE : EN)

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
    email: 'must be an e-mail address, like name@example.com',
    url: 'must be a whole address, like https://example.com',
    date: 'must be a day, like 2026-01-31',
    time: 'must be a time of day, like 09:30',
    'datetime-local': 'must be a day and a time, like 2026-01-31T09:30',
  },
  otherFormat: 'does not have the right form',
  ticked: 'must be ticked',
  oneOf: 'must be one of',
  says: [
    [/^must not have fewer than (\d+) characters$/, 'must have at least $1 characters'],
    [/^must not have more than (\d+) characters$/, 'must have at most $1 characters'],
    [/^must not have fewer than (\d+) items$/, 'must have at least $1'],
    [/^must not have more than (\d+) items$/, 'must have at most $1'],
    [/^must hold nothing twice.*$/, 'must not have anything twice'],
    [/^must be >= (.+)$/, 'must be $1 or more'],
    [/^must be <= (.+)$/, 'must be $1 or less'],
    [/^must be > (.+)$/, 'must be more than $1'],
    [/^must be < (.+)$/, 'must be less than $1'],
    [/^must be multiple of (.+)$/, 'must be a multiple of $1'],
    [/^must be integer$/, 'must be a whole number'],
    [/^must be number$/, 'must be a number'],
  ],
  otherwise: undefined,
  hints: { lines: 'One a line.', json: 'Write it as JSON.', 'date-time': 'In UTC.', time: 'In UTC.' },
  values: { true: 'Yes', false: 'No', null: 'None' },
  error: 'Error',
  whole: 'The form',
}

const DE: Words = {
  formats: {
    email: 'muss eine E-Mail-Adresse sein, etwa name@example.com',
    url: 'muss eine ganze Adresse sein, etwa https://example.com',
    date: 'muss ein Tag sein, etwa 2026-01-31',
    time: 'muss eine Uhrzeit sein, etwa 09:30',
    'datetime-local': 'muss Tag und Uhrzeit sein, etwa 2026-01-31T09:30',
  },
  otherFormat: 'hat nicht die richtige Form',
  ticked: 'muss angekreuzt sein',
  oneOf: 'muss eines davon sein:',
  says: [
    [/^is required$/, 'wird gebraucht'],
    [/^is not known here$/, 'ist hier nicht bekannt'],
    [/^must be one of (.+)$/, 'muss eines davon sein: $1'],
    [/^must not have fewer than (\d+) characters$/, 'braucht mindestens $1 Zeichen'],
    [/^must not have more than (\d+) characters$/, 'darf höchstens $1 Zeichen haben'],
    [/^must not have fewer than (\d+) (?:items|properties)$/, 'braucht mindestens $1'],
    [/^must not have more than (\d+) (?:items|properties)$/, 'darf höchstens $1 haben'],
    [/^must hold nothing twice.*$/, 'darf nichts doppelt enthalten'],
    [/^must be >= (.+)$/, 'muss mindestens $1 sein'],
    [/^must be <= (.+)$/, 'darf höchstens $1 sein'],
    [/^must be > (.+)$/, 'muss mehr als $1 sein'],
    [/^must be < (.+)$/, 'muss weniger als $1 sein'],
    [/^must be multiple of (.+)$/, 'muss ein Vielfaches von $1 sein'],
    [/^must be integer$/, 'muss eine ganze Zahl sein'],
    [/^must be number$/, 'muss eine Zahl sein'],
    [/^has more than (\d+) values$/, 'hat mehr als $1 Angaben'],
  ],
  otherwise: 'ist nicht richtig ausgefüllt',
  hints: { lines: 'Je Zeile eines.', json: 'Als JSON.', 'date-time': 'In UTC.', time: 'In UTC.' },
  values: { true: 'Ja', false: 'Nein', null: 'Keines' },
  error: 'Fehler',
  whole: 'Das Formular',
}

/** Of `de-AT` those of `de`; English for a language that we do not speak. */
export const wordsOf = (locale: string): Words => (locale.split('-')[0] === 'de' ? DE : EN)

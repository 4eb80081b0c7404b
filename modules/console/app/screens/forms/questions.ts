/** The questions of the form builder. Pure. */
import { type LocalText, pickText, withText } from '@larder-dev/larder/console'

export type Json = Readonly<Record<string, unknown>>
export const QUESTION_TYPES = [
  'text',
  'longText',
  'email',
  'phone',
  'url',
  'number',
  'integer',
  'date',
  'checkbox',
  'choice',
  'choices',
] as const
export type QuestionType = (typeof QUESTION_TYPES)[number] | 'custom'
export interface Condition {
  /** The ID of the question that decides. */
  readonly id: number
  readonly value: string | boolean
}
export interface Choice {
  /** Stored with a submission, whatever the language. */
  readonly value: string
  readonly label: LocalText
}
export interface Question {
  /** Identity in the editor only. */
  readonly id: number
  /** Name of the property; of a new question it follows the title. */
  readonly key: string
  readonly isNew: boolean
  readonly type: QuestionType
  readonly title: LocalText
  readonly help: LocalText
  readonly required: 'never' | 'always' | 'when'
  readonly condition: Condition | undefined
  readonly choices: readonly Choice[]
  /** Keywords that the builder doesn't show; of type `custom`, all of them. */
  readonly schema: Json
  readonly ui: Json
}
export interface FormModel {
  readonly questions: readonly Question[]
  /** Heading of the page; empty shows the name of the form. */
  readonly title: LocalText
  readonly introduction: LocalText
  readonly submitText: LocalText
  /** Other keywords of the form. */
  readonly schema: Json
  readonly ui: Json
}

export const plainChoice = (value: string): Choice => ({ value, label: value })
const BLANK = ['', ''].map(plainChoice)
/** Whether the label only repeats the value. */
export const isPlain = ({ value, label }: Choice): boolean =>
  typeof label === 'string' ? label === value : Object.values(label).every(text => text === value)
export const filledIn = (choices: readonly Choice[]): readonly Choice[] =>
  choices.filter(({ value }) => value.trim() !== '')

/** After an edit of the values, one a line. A choice keeps its labels, also if its line alone was edited. */
export function withValues(choices: readonly Choice[], values: readonly string[], defaultLocale: string): Choice[] {
  const byValue = new Map(choices.map(choice => [choice.value, choice]))
  return values.map((value, index) => {
    const before = choices[index]
    const isEdited = before && values.length === choices.length && !values.includes(before.value)
    return byValue.get(value) ?? (isEdited ? renamed(before, value, defaultLocale) : plainChoice(value))
  })
}
const renamed = ({ value: before, label }: Choice, value: string, defaultLocale: string): Choice => {
  const follows = pickText(label, defaultLocale, defaultLocale) === before
  return { value, label: follows ? withText(label, defaultLocale, value, defaultLocale) : label }
}

let lastId = 0
export const newQuestion = (type: QuestionType): Question => ({
  id: ++lastId,
  key: '',
  isNew: true,
  type,
  title: '',
  help: '',
  required: 'never',
  condition: undefined,
  choices: type === 'choice' || type === 'choices' ? BLANK : [],
  schema: {},
  ui: type === 'choice' ? { 'ui:widget': 'radio' } : {},
})

/** `Your first name` → `yourFirstName`. */
export const keyFrom = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/ß/g, 'ss')
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean)
    .map((word, index) =>
      index === 0 ? word.toLowerCase() : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join('')
    .slice(0, 40)

/** A question of another type keeps its texts, and its choices if it has some. */
export const withType = (question: Question, type: QuestionType): Question => {
  const hasChoices = type === 'choice' || type === 'choices'
  return {
    ...question,
    type,
    schema: {},
    ui: newQuestion(type).ui,
    choices: hasChoices ? (question.choices.length > 0 ? question.choices : BLANK) : [],
  }
}

/** Values that a condition can name; none if the answers of the question aren't known. */
export const answersOf = ({ type, choices }: Question): readonly (string | boolean)[] =>
  type === 'checkbox'
    ? [true, false]
    : type === 'choice' || type === 'choices'
      ? filledIn(choices).map(({ value }) => value)
      : []

export function moveQuestion(questions: readonly Question[], from: number, to: number): readonly Question[] {
  const moved = questions[from]
  if (!moved || to < 0 || to >= questions.length || from === to) return questions
  return questions.toSpliced(from, 1).toSpliced(to, 0, moved)
}

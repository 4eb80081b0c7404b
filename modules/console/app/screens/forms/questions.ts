/** The questions of the form builder. Pure. */

export type Json = Readonly<Record<string, unknown>>
export const QUESTION_TYPES = [
  ...(['text', 'longText', 'email', 'phone', 'url', 'number', 'integer', 'date', 'checkbox'] as const),
  ...(['choice', 'choices'] as const),
] as const
export type QuestionType = (typeof QUESTION_TYPES)[number] | 'custom'
export interface Condition {
  /** Of the question that decides. */
  readonly id: number
  readonly value: string | boolean
}
export interface Question {
  /** Identity in the editor only. */
  readonly id: number
  /** Name of the property; of a new question it follows the title. */
  readonly key: string
  readonly isNew: boolean
  readonly type: QuestionType
  readonly title: string
  readonly help: string
  readonly required: 'never' | 'always' | 'when'
  readonly condition: Condition | undefined
  readonly choices: readonly string[]
  /** Keywords that the builder doesn't show; of type `custom`, all of them. */
  readonly schema: Json
  readonly ui: Json
}
export interface FormModel {
  readonly questions: readonly Question[]
  readonly submitText: string
  /** Other keywords of the form. */
  readonly schema: Json
  readonly ui: Json
}

let lastId = 0
export const newQuestion = (type: QuestionType): Question => ({
  ...{ id: ++lastId, key: '', isNew: true, type, title: '', help: '', required: 'never', condition: undefined },
  choices: type === 'choice' || type === 'choices' ? ['', ''] : [],
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
    choices: hasChoices ? (question.choices.length > 0 ? question.choices : ['', '']) : [],
  }
}

/** Values that a condition can name; none if the answers of the question aren't known. */
export const answersOf = ({ type, choices }: Question): readonly (string | boolean)[] =>
  type === 'checkbox'
    ? [true, false]
    : type === 'choice' || type === 'choices'
      ? choices.filter(choice => choice.trim() !== '')
      : []

export function moveQuestion(questions: readonly Question[], from: number, to: number): readonly Question[] {
  const moved = questions[from]
  if (!moved || to < 0 || to >= questions.length || from === to) return questions
  return questions.toSpliced(from, 1).toSpliced(to, 0, moved)
}

/** The form as visitors see it, without the theme. Its answers decide which questions are required. */
import { useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { fill } from '../../locales/index.ts'
import { questionTitle } from './Builder.tsx'
import type { FormState } from './form-state.ts'
import type { Question } from './questions.ts'
import { useFormTexts } from './texts.ts'

type Answer = string | boolean | readonly string[]
type Answers = Readonly<Record<number, Answer>>

export function Preview({ state }: { readonly state: FormState }) {
  const c = useFormTexts()
  const [answers, setAnswers] = useState<Answers>({})
  const { questions, submitText } = state.model
  return (
    <div className="preview-card panel">
      <p className="preview-title">{state.name || c.untitled}</p>
      {questions.map((question, index) => (
        <PreviewField
          key={question.id}
          question={question}
          title={questionTitle(c, question, index)}
          condition={conditionText(c.requiredIf, question, questions, [c.yes, c.no])}
          isRequired={isRequired(question, answers)}
          answer={answers[question.id]}
          onAnswer={answer => setAnswers({ ...answers, [question.id]: answer })}
        />
      ))}
      <Button kind="primary" onPress={() => setAnswers({})}>
        {submitText || c.submit}
      </Button>
    </div>
  )
}

function isRequired({ required, condition }: Question, answers: Answers): boolean {
  if (required !== 'when' || !condition) return required === 'always'
  const answer = answers[condition.id]
  return Array.isArray(answer) ? answer.includes(condition.value) : answer === condition.value
}

function conditionText(
  text: string,
  { required, condition }: Question,
  questions: readonly Question[],
  [yes, no]: readonly [string, string],
): string {
  const decider = questions.find(({ id }) => id === condition?.id)
  if (required !== 'when' || !condition || !decider) return ''
  const answer = condition.value === true ? yes : condition.value === false ? no : condition.value
  return fill(text, { question: decider.title || decider.key, answer })
}

interface FieldProps {
  readonly question: Question
  readonly title: string
  readonly condition: string
  readonly isRequired: boolean
  readonly answer: Answer | undefined
  readonly onAnswer: (answer: Answer) => void
}

const INPUT_TYPES: Readonly<Record<string, string>> = {
  email: 'email',
  phone: 'tel',
  url: 'url',
  number: 'number',
  integer: 'number',
  date: 'date',
}

function PreviewField({ question, title, condition, isRequired: required, answer, onAnswer }: FieldProps) {
  const c = useFormTexts()
  const { type, help, choices, ui } = question
  const id = `preview-${question.id}`
  const set = choices.filter(choice => choice.trim() !== '')
  const star = required && <span className="required">*</span>
  const texts = (
    <>
      {help && <p className="hint">{help}</p>}
      {condition && <p className="hint">{condition}</p>}
      {type === 'custom' && <p className="hint">{c.customText}</p>}
    </>
  )
  if (type === 'checkbox')
    return (
      <div className="field">
        <label className="choice">
          <input type="checkbox" checked={answer === true} onChange={event => onAnswer(event.target.checked)} />
          <span>
            {title}
            {star}
          </span>
        </label>
        {texts}
      </div>
    )
  if (type === 'choices' || (type === 'choice' && ui['ui:widget'] === 'radio')) {
    const chosen = Array.isArray(answer) ? (answer as readonly string[]) : []
    return (
      <fieldset className="field preview-choices">
        <legend>
          {title}
          {star}
        </legend>
        {set.map(choice => (
          <label key={choice} className="choice">
            <input
              type={type === 'choices' ? 'checkbox' : 'radio'}
              name={id}
              checked={type === 'choices' ? chosen.includes(choice) : answer === choice}
              onChange={({ target }) => {
                if (type === 'choice') onAnswer(choice)
                else onAnswer(target.checked ? [...chosen, choice] : chosen.filter(each => each !== choice))
              }}
            />
            <span>{choice}</span>
          </label>
        ))}
        {texts}
      </fieldset>
    )
  }
  const shared = { id, value: typeof answer === 'string' ? answer : '', 'aria-required': required || undefined }
  return (
    <div className="field">
      <label htmlFor={id}>
        {title}
        {star}
      </label>
      {type === 'choice' ? (
        <select {...shared} onChange={event => onAnswer(event.target.value)}>
          <option value="">{c.select}</option>
          {set.map(choice => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : type === 'longText' || type === 'custom' ? (
        <textarea {...shared} rows={4} onChange={event => onAnswer(event.target.value)} />
      ) : (
        <input
          {...shared}
          type={INPUT_TYPES[type] ?? 'text'}
          autoComplete="off"
          onChange={event => onAnswer(event.target.value)}
        />
      )}
      {texts}
    </div>
  )
}

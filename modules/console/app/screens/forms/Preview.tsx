/** The form as visitors with a language see it, without the theme. Its answers decide which questions are required. */

import { useState } from 'react'
import { Button, directionOf, fill, type LocalText, pickText, productLocales } from '../../public.ts'
import type { FormState } from './form-state.ts'
import { filledIn, type Question } from './questions.ts'
import { useFormTexts } from './texts.ts'
import { questionTitle } from './titles.ts'

type Answer = string | boolean | readonly string[]
type Answers = Readonly<Record<number, Answer>>

export function Preview({ state, locale }: { readonly state: FormState; readonly locale: string }) {
  const c = useFormTexts()
  const [answers, setAnswers] = useState<Answers>({})
  const { questions, title: heading, introduction, submitText } = state.model
  const text = (value: LocalText) => pickText(value, locale, productLocales.default)
  const titleOf = (question: Question) => questionTitle(c, question, questions.indexOf(question), locale)
  function conditionText({ required, condition }: Question): string {
    const decider = questions.find(({ id }) => id === condition?.id)
    if (required !== 'when' || !condition || !decider) return ''
    const { value } = condition
    const choice = decider.choices.find(each => each.value === value)
    const answer = value === true ? c.yes : value === false ? c.no : choice ? text(choice.label) : value
    return fill(c.requiredIf, { question: titleOf(decider), answer })
  }
  return (
    <div className="preview-card panel" lang={locale} dir={directionOf(locale)}>
      <p className="preview-title">{text(heading) || state.name || c.untitled}</p>
      {text(introduction) && <p>{text(introduction)}</p>}
      {questions.map(question => (
        <PreviewField
          key={question.id}
          question={question}
          text={text}
          title={titleOf(question)}
          condition={conditionText(question)}
          isRequired={isRequired(question, answers)}
          answer={answers[question.id]}
          onAnswer={answer => setAnswers({ ...answers, [question.id]: answer })}
        />
      ))}
      <Button kind="primary" onPress={() => setAnswers({})}>
        {text(submitText) || c.submit}
      </Button>
    </div>
  )
}

function isRequired({ required, condition }: Question, answers: Answers): boolean {
  if (required !== 'when' || !condition) return required === 'always'
  const answer = answers[condition.id]
  return Array.isArray(answer) ? answer.includes(condition.value) : answer === condition.value
}

interface FieldProps {
  readonly question: Question
  readonly text: (text: LocalText) => string
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

function PreviewField({ question, text, title, condition, isRequired: required, answer, onAnswer }: FieldProps) {
  const c = useFormTexts()
  const { type, choices, ui } = question
  const help = text(question.help)
  const id = `preview-${question.id}`
  const set = filledIn(choices)
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
        {set.map(({ value, label }) => (
          <label key={value} className="choice">
            <input
              type={type === 'choices' ? 'checkbox' : 'radio'}
              name={id}
              checked={type === 'choices' ? chosen.includes(value) : answer === value}
              onChange={({ target }) => {
                if (type === 'choice') onAnswer(value)
                else onAnswer(target.checked ? [...chosen, value] : chosen.filter(each => each !== value))
              }}
            />
            <span>{text(label)}</span>
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
          {set.map(({ value, label }) => (
            <option key={value} value={value}>
              {text(label)}
            </option>
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

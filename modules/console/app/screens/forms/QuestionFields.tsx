/** The fields of one question in the builder. */

import { useState } from 'react'
import {
  CodeEditor,
  fill,
  type LocalText,
  parseJson,
  pickText,
  productLocales,
  SelectField,
  TextArea,
  TextField,
  textIn,
  withText,
} from '../../public.ts'
import {
  answersOf,
  type Json,
  QUESTION_TYPES,
  type Question,
  type QuestionType,
  withType,
  withValues,
} from './questions.ts'
import { useFormTexts } from './texts.ts'
import { questionTitle, typeTitle } from './titles.ts'

interface Props {
  readonly question: Question
  readonly questions: readonly Question[]
  readonly locale: string
  readonly isReadOnly: boolean
  readonly onChange: (question: Question) => void
}

export function QuestionFields({ question, questions, locale, isReadOnly, onChange }: Props) {
  const c = useFormTexts()
  const { type, title, help, choices, ui } = question
  const set = (next: Partial<Question>) => onChange({ ...question, ...next })
  const types: readonly QuestionType[] = type === 'custom' ? ['custom', ...QUESTION_TYPES] : QUESTION_TYPES
  const standard = productLocales.default
  const inLocale = (text: LocalText, change: (text: LocalText) => void) => ({
    placeholder: pickText(text, locale, standard),
    value: textIn(text, locale),
    onChange: (next: string) => change(withText(text, locale, next, standard)),
  })
  const hasChoices = type === 'choice' || type === 'choices'
  const isStandard = locale === standard
  // A choice without a label shows its value.
  const [haveLabels] = useState(() => choices.some(({ value, label }) => pickText(label, standard, standard) !== value))
  return (
    <fieldset className="question-fields" disabled={isReadOnly}>
      <TextField label={c.title} {...inLocale(title, next => set({ title: next }))} />
      <SelectField
        label={c.type}
        value={type}
        options={types.map(each => [each, typeTitle(c, each)])}
        onChange={next => onChange(withType(question, next))}
      />
      {type === 'custom' && <Definition question={question} onChange={schema => set({ schema })} />}
      {hasChoices && isStandard && (
        <TextArea
          label={c.choices}
          hint={c.choicesHint}
          isWide
          rows={Math.max(3, choices.length)}
          value={choices.map(({ value }) => value).join('\n')}
          onChange={text => set({ choices: withValues(choices, text.split('\n'), standard) })}
        />
      )}
      {hasChoices &&
        (!isStandard || haveLabels) &&
        choices.map((choice, index) =>
          choice.value.trim() === '' ? null : (
            <TextField
              // biome-ignore lint/suspicious/noArrayIndexKey: choices have no identity, and new ones come last
              key={index}
              label={fill(c.choiceText, { value: choice.value })}
              {...inLocale(choice.label, label => set({ choices: choices.with(index, { ...choice, label }) }))}
            />
          ),
        )}
      {type === 'choice' && (
        <label className="choice wide-field">
          <input
            type="checkbox"
            checked={ui['ui:widget'] !== 'radio'}
            onChange={event => set({ ui: { ...ui, 'ui:widget': event.target.checked ? 'select' : 'radio' } })}
          />
          <span>{c.dropdown}</span>
        </label>
      )}
      <TextField label={c.help} isWide {...inLocale(help, next => set({ help: next }))} />
      <RequiredFields question={question} questions={questions} locale={locale} onChange={onChange} />
      {question.isNew && (
        <TextField
          label={c.key}
          hint={c.keyHint}
          isWide
          spellCheck={false}
          value={question.key}
          onChange={next => set({ key: next.trim() })}
        />
      )}
    </fieldset>
  )
}

function RequiredFields({ question, questions, locale, onChange }: Omit<Props, 'isReadOnly'>) {
  const c = useFormTexts()
  const { required, condition } = question
  const deciders = questions.filter(each => each.id !== question.id && answersOf(each).length > 0)
  const decider = deciders.find(each => each.id === condition?.id)
  const answers = decider ? answersOf(decider) : []
  const choose = (chosen: Question | undefined) => {
    const [value] = chosen ? answersOf(chosen) : []
    if (chosen && value !== undefined) onChange({ ...question, required: 'when', condition: { id: chosen.id, value } })
  }
  const textOf = (value: string | boolean) => (value === true ? c.yes : value === false ? c.no : value)
  return (
    <>
      <SelectField
        label={c.required}
        value={required}
        options={[
          ['never', c.requiredNever],
          ['always', c.requiredAlways],
          ...(deciders.length > 0 || required === 'when' ? [['when', c.requiredWhen] as const] : []),
        ]}
        onChange={next => {
          if (next === 'when') choose(deciders[0])
          else onChange({ ...question, required: next, condition: undefined })
        }}
      />
      {required === 'when' && condition && (
        <>
          <SelectField
            label={c.decider}
            value={String(condition.id)}
            options={deciders.map(each => [String(each.id), questionTitle(c, each, questions.indexOf(each), locale)])}
            onChange={next => choose(deciders.find(each => String(each.id) === next))}
          />
          <SelectField
            label={c.deciderValue}
            value={String(condition.value)}
            options={answers.map(each => [String(each), textOf(each)])}
            onChange={next => {
              const value = answers.find(each => String(each) === next)
              if (value !== undefined) onChange({ ...question, condition: { id: condition.id, value } })
            }}
          />
        </>
      )}
    </>
  )
}

/** JSON that can't be read yet stays in the editor and changes nothing. */
function Definition({
  question,
  onChange,
}: {
  readonly question: Question
  readonly onChange: (schema: Json) => void
}) {
  const c = useFormTexts()
  const [text, setText] = useState(() => JSON.stringify(question.schema, null, 2))
  const [isInvalid, setInvalid] = useState(false)
  const change = (next: string) => {
    setText(next)
    try {
      const value: unknown = parseJson(next)
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
      setInvalid(!isObject)
      if (isObject) onChange(value as Json)
    } catch {
      setInvalid(true)
    }
  }
  return (
    <div className={`field wide-field${isInvalid ? ' invalid' : ''}`}>
      <span className="field-label">{c.definition}</span>
      <CodeEditor label={c.definition} language="json" value={text} onChange={change} />
      {isInvalid && <p className="error">{c.invalidJson}</p>}
    </div>
  )
}

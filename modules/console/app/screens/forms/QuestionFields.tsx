/** The fields of one question in the builder. */
import { useState } from 'react'
import { CodeEditor } from '../../components/CodeEditor.tsx'
import { parseJson } from '../../data/json.ts'
import { questionTitle, typeTitle } from './Builder.tsx'
import { answersOf, type Json, QUESTION_TYPES, type Question, type QuestionType, withType } from './questions.ts'
import { useFormTexts } from './texts.ts'

interface Props {
  readonly question: Question
  readonly questions: readonly Question[]
  readonly isReadOnly: boolean
  readonly onChange: (question: Question) => void
}

export function QuestionFields({ question, questions, isReadOnly, onChange }: Props) {
  const c = useFormTexts()
  const { type, title, help, choices, ui } = question
  const id = `question-${question.id}`
  const set = (next: Partial<Question>) => onChange({ ...question, ...next })
  const types: readonly QuestionType[] = type === 'custom' ? ['custom', ...QUESTION_TYPES] : QUESTION_TYPES
  return (
    <fieldset className="question-fields" disabled={isReadOnly}>
      <div className="field">
        <label htmlFor={`${id}-title`}>{c.title}</label>
        <input
          id={`${id}-title`}
          autoComplete="off"
          value={title}
          onChange={event => set({ title: event.target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-type`}>{c.type}</label>
        <select
          id={`${id}-type`}
          value={type}
          onChange={event => onChange(withType(question, event.target.value as QuestionType))}
        >
          {types.map(each => (
            <option key={each} value={each}>
              {typeTitle(c, each)}
            </option>
          ))}
        </select>
      </div>
      {type === 'custom' && <Definition question={question} onChange={schema => set({ schema })} />}
      {(type === 'choice' || type === 'choices') && (
        <div className="field wide-field">
          <label htmlFor={`${id}-choices`}>{c.choices}</label>
          <textarea
            id={`${id}-choices`}
            rows={Math.max(3, choices.length)}
            aria-describedby={`${id}-choices-hint`}
            value={choices.join('\n')}
            onChange={event => set({ choices: event.target.value.split('\n') })}
          />
          <p className="hint" id={`${id}-choices-hint`}>
            {c.choicesHint}
          </p>
        </div>
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
      <div className="field wide-field">
        <label htmlFor={`${id}-help`}>{c.help}</label>
        <input
          id={`${id}-help`}
          autoComplete="off"
          value={help}
          onChange={event => set({ help: event.target.value })}
        />
      </div>
      <RequiredFields question={question} questions={questions} onChange={onChange} />
      {question.isNew && (
        <div className="field wide-field">
          <label htmlFor={`${id}-key`}>{c.key}</label>
          <input
            id={`${id}-key`}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={`${id}-key-hint`}
            value={question.key}
            onChange={event => set({ key: event.target.value.trim() })}
          />
          <p className="hint" id={`${id}-key-hint`}>
            {c.keyHint}
          </p>
        </div>
      )}
    </fieldset>
  )
}

function RequiredFields({ question, questions, onChange }: Omit<Props, 'isReadOnly'>) {
  const c = useFormTexts()
  const id = `question-${question.id}`
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
      <div className="field">
        <label htmlFor={`${id}-required`}>{c.required}</label>
        <select
          id={`${id}-required`}
          value={required}
          onChange={event => {
            if (event.target.value === 'when') choose(deciders[0])
            else onChange({ ...question, required: event.target.value as 'never' | 'always', condition: undefined })
          }}
        >
          <option value="never">{c.requiredNever}</option>
          <option value="always">{c.requiredAlways}</option>
          {(deciders.length > 0 || required === 'when') && <option value="when">{c.requiredWhen}</option>}
        </select>
      </div>
      {required === 'when' && condition && (
        <>
          <div className="field">
            <label htmlFor={`${id}-decider`}>{c.decider}</label>
            <select
              id={`${id}-decider`}
              value={condition.id}
              onChange={event => choose(deciders.find(each => String(each.id) === event.target.value))}
            >
              {deciders.map(each => (
                <option key={each.id} value={each.id}>
                  {questionTitle(c, each, questions.indexOf(each))}
                </option>
              ))}
            </select>
          </div>
          <div className="field">
            <label htmlFor={`${id}-answer`}>{c.deciderValue}</label>
            <select
              id={`${id}-answer`}
              value={String(condition.value)}
              onChange={event => {
                const value = answers.find(each => String(each) === event.target.value)
                if (value !== undefined) onChange({ ...question, condition: { id: condition.id, value } })
              }}
            >
              {answers.map(each => (
                <option key={String(each)} value={String(each)}>
                  {textOf(each)}
                </option>
              ))}
            </select>
          </div>
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

/** The questions of a form beside its preview. They are reordered by dragging, buttons or keyboard. */

import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Button, EmptyState, fill, Icon, Menu, TextLanguage } from '../../public.ts'
import { Preview } from './Preview.tsx'
import { QuestionFields } from './QuestionFields.tsx'
import { moveQuestion, newQuestion, QUESTION_TYPES, type Question, type QuestionType } from './questions.ts'
import type { EditProps } from './Settings.tsx'
import { useFormTexts } from './texts.ts'
import { questionTitle, typeTitle } from './titles.ts'

const ICONS: Readonly<Record<QuestionType, string>> = {
  text: 'text',
  longText: 'file-text',
  email: 'mail',
  phone: 'contact',
  url: 'link',
  number: 'gauge',
  integer: 'gauge',
  date: 'calendar',
  checkbox: 'circle-check',
  choice: 'list',
  choices: 'list-filter',
  custom: 'code',
}
export function Builder({ state, isReadOnly, onChange, locale, onLocale }: EditProps) {
  const c = useFormTexts()
  const { questions } = state.model
  const [open, setOpen] = useState<number>()
  const [dragged, setDragged] = useState<number>()
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const set = (next: readonly Question[]) => onChange({ ...state, model: { ...state.model, questions: next } })
  const focusLater = (selector: string) => setTimeout(() => list.current?.querySelector<HTMLElement>(selector)?.focus())

  function move(from: number, to: number) {
    const question = questions[from]
    const next = moveQuestion(questions, from, to)
    if (!question || next === questions) return
    set(next)
    const name = questionTitle(c, question, from, locale)
    setAnnouncement(fill(c.moved, { name, position: to + 1, count: questions.length }))
  }
  function add(type: QuestionType) {
    const question = newQuestion(type)
    set([...questions, question])
    setOpen(question.id)
    focusLater(`#question-${question.id} input`)
  }
  function remove(index: number) {
    const gone = questions[index]
    const left = questions.toSpliced(index, 1)
    // A condition on the removed question can't be met.
    set(
      left.map(each =>
        each.condition?.id === gone?.id ? { ...each, required: 'never' as const, condition: undefined } : each,
      ),
    )
    focusLater(`li:nth-child(${Math.min(index + 1, left.length)}) .question-open`)
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!event.altKey || step === 0 || isReadOnly) return
    event.preventDefault()
    move(index, index + step)
  }
  const onDrop = (event: DragEvent, index: number) => {
    event.preventDefault()
    const from = questions.findIndex(({ id }) => id === dragged)
    setDragged(undefined)
    if (from >= 0) move(from, index)
  }
  return (
    <>
      <TextLanguage locale={locale} onChange={onLocale} />
      <div className="form-builder">
        <section aria-labelledby="builder-questions">
          <div className="row builder-head">
            <h2 id="builder-questions">{c.questions}</h2>
            {!isReadOnly && (
              <Menu
                label={c.add}
                trigger={<Button icon="plus">{c.add}</Button>}
                items={QUESTION_TYPES.map(type => ({
                  id: type,
                  text: typeTitle(c, type),
                  icon: ICONS[type],
                  onAction: () => add(type),
                }))}
              />
            )}
          </div>
          {questions.length === 0 && (
            <EmptyState icon="clipboard-list" title={c.noQuestions} text={c.noQuestionsText} />
          )}
          <ol className="sortable" ref={list}>
            {questions.map((question, index) => {
              const name = questionTitle(c, question, index, locale)
              const isOpen = open === question.id
              return (
                <li
                  key={question.id}
                  id={`question-${question.id}`}
                  className="question panel"
                  data-open={isOpen || undefined}
                  onKeyDown={event => onKeyDown(event, index)}
                  onDragOver={event => event.preventDefault()}
                  onDrop={event => onDrop(event, index)}
                >
                  <div className="question-head">
                    {!isReadOnly && (
                      // biome-ignore lint/a11y/noStaticElementInteractions: the buttons and keys do the same
                      <span
                        className="question-grip"
                        draggable
                        title={fill(c.drag, { name })}
                        onDragStart={event => {
                          event.dataTransfer.effectAllowed = 'move'
                          event.dataTransfer.setData('text/plain', name)
                          setDragged(question.id)
                        }}
                      >
                        <Icon name="grip-vertical" />
                      </span>
                    )}
                    <button
                      type="button"
                      className="question-open"
                      aria-expanded={isOpen}
                      onClick={() => setOpen(isOpen ? undefined : question.id)}
                    >
                      <Icon name={ICONS[question.type]} />
                      <span className="question-name">
                        {name}
                        {question.required !== 'never' && <span className="required">*</span>}
                      </span>
                      <span className="muted">{typeTitle(c, question.type)}</span>
                    </button>
                    {!isReadOnly && (
                      <span className="question-buttons">
                        <Button
                          kind="quiet"
                          icon="arrow-up"
                          label={fill(c.moveUp, { name })}
                          onPress={() => move(index, index - 1)}
                        />
                        <Button
                          kind="quiet"
                          icon="arrow-down"
                          label={fill(c.moveDown, { name })}
                          onPress={() => move(index, index + 1)}
                        />
                        <Button
                          kind="quiet"
                          icon="trash-2"
                          label={fill(c.remove, { name })}
                          onPress={() => remove(index)}
                        />
                      </span>
                    )}
                  </div>
                  {isOpen && (
                    <QuestionFields
                      question={question}
                      questions={questions}
                      locale={locale}
                      isReadOnly={isReadOnly}
                      onChange={next => set(questions.with(index, next))}
                    />
                  )}
                </li>
              )
            })}
          </ol>
          {questions.length > 1 && !isReadOnly && <p className="hint">{c.moveHint}</p>}
          <p className="visually-hidden" role="status">
            {announcement}
          </p>
        </section>
        <section className="form-preview" aria-labelledby="builder-preview">
          <div className="row builder-head">
            <h2 id="builder-preview">{c.preview}</h2>
            <span className="muted">{c.previewHint}</span>
          </div>
          <Preview state={state} locale={locale} />
        </section>
      </div>
    </>
  )
}

/** Chooses rows that a field refers to, or a member. Rows are searched by the server, so their number doesn't matter. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Dialog } from '../components/Dialog.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { ListContent } from '../components/ListContent.tsx'
import type { SourceInputProps } from '../components/source-inputs.ts'
import { TypedInput } from '../components/TypedInput.tsx'
import type { FormValue } from '../data/form-model.ts'
import { keys } from '../data/keys.ts'
import { createTitle, type Resource } from '../data/resources.ts'
import { fill, useTexts } from '../locales/index.ts'
import { useCollectionTexts } from './collection-texts.ts'
import { NewRow } from './NewRow.tsx'
import styles from './RelationInput.module.css'
import { type Source, useNamesOf, useSource } from './sources.ts'

const idsOf = (value: FormValue): readonly string[] =>
  Array.isArray(value) ? value.map(String) : value === '' ? [] : [String(value)]

export default function RelationInput({
  id,
  label,
  field,
  value,
  isRequired,
  describedBy,
  onChange,
}: SourceInputProps) {
  const c = useCollectionTexts()
  const source = useSource(field)
  const [isOpen, setOpen] = useState(false)
  const ids = idsOf(value)
  const nameOf = useNamesOf(source, ids)
  const isMany = field.reference?.many ?? false
  const set = (next: readonly string[]) => onChange(isMany ? next : (next[0] ?? ''))
  if (!source)
    return (
      <input
        id={id}
        aria-describedby={describedBy}
        autoComplete="off"
        value={ids.join(', ')}
        onChange={({ target }) => set(target.value.split(',').flatMap(part => part.trim() || []))}
      />
    )
  return (
    <div className="relation row">
      {ids.map(each => (
        <span key={each} className="chip">
          <span>{nameOf(each)}</span>
          {!(isRequired && ids.length === 1 && !isMany) && (
            <Button
              kind="quiet"
              icon="x"
              label={fill(c.remove, { name: nameOf(each) })}
              onPress={() => set(ids.filter(other => other !== each))}
            />
          )}
        </span>
      ))}
      <Button
        id={id}
        icon="search"
        aria-label={fill(c.chooseFor, { name: label })}
        {...(describedBy !== undefined && { 'aria-describedby': describedBy })}
        onPress={() => setOpen(true)}
      >
        <span className="relation-choose">{c.choose}</span>
      </Button>
      {isOpen && (
        <Picker source={source} label={label} ids={ids} isMany={isMany} onChange={set} onClose={() => setOpen(false)} />
      )}
    </div>
  )
}

/** Matches that one search shows. */
const MAX_MATCHES = 50

interface PickerProps {
  readonly source: Source
  readonly label: string
  readonly ids: readonly string[]
  readonly isMany: boolean
  readonly onChange: (ids: readonly string[]) => void
  readonly onClose: () => void
}

function Picker({ source, label, ids, isMany, onChange, onClose }: PickerProps) {
  const t = useTexts()
  const c = useCollectionTexts()
  const [text, setText] = useState('')
  const [creating, setCreating] = useState<Resource>()
  const [chosen, setChosen] = useState(ids)
  const list = useQuery({
    queryKey: keys.search(source, 'matches', text.trim()),
    queryFn: ({ signal }) => source.find(text.trim(), MAX_MATCHES, signal),
  })
  const rows = list.data?.data ?? []
  const pick = (next: readonly string[]) => {
    onChange(next)
    onClose()
  }
  const toggle = (key: string) => {
    if (!isMany) return pick([key])
    setChosen(chosen.includes(key) ? chosen.filter(each => each !== key) : [...chosen, key])
  }
  const { resource } = source
  if (creating)
    return (
      <NewRow
        resource={creating}
        onClose={() => setCreating(undefined)}
        onCreated={key => pick(isMany ? [...chosen, key] : [key])}
      />
    )
  return (
    <Dialog
      title={fill(c.chooseFor, { name: label })}
      isOpen
      onClose={onClose}
      size="large"
      footer={
        isMany && (
          <>
            <Button onPress={onClose}>{t('cancel')}</Button>
            <Button kind="primary" onPress={() => pick(chosen)}>
              {c.apply}
            </Button>
          </>
        )
      }
    >
      <div className="toolbar">
        <TypedInput label={fill(c.find, { title: source.title })} maxLength={120} value={text} onChange={setText} />
        {resource?.operations.create && (
          <Button icon="plus" onPress={() => setCreating(resource)}>
            {createTitle(resource, t)}
          </Button>
        )}
      </div>
      <ListContent list={list} isEmpty={rows.length === 0} empty={<EmptyState icon="search" title={c.noMatch} />}>
        <fieldset className={styles.rows}>
          <legend className="visually-hidden">{source.title}</legend>
          {rows.map(row => {
            const key = source.keyOf(row)
            return (
              <label key={key} className="choice">
                <input
                  type={isMany ? 'checkbox' : 'radio'}
                  name="relation"
                  checked={chosen.includes(key)}
                  onChange={() => toggle(key)}
                  // A chosen row can be confirmed by choosing it again.
                  onClick={() => !isMany && chosen.includes(key) && onClose()}
                />
                <span>{source.labelOf(row)}</span>
              </label>
            )
          })}
        </fieldset>
        {list.data?.nextCursor && <p className="hint">{c.moreMatches}</p>}
      </ListContent>
    </Dialog>
  )
}

/** Shown when the record has changed since the form was opened (412). Merges both changes. */
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Dialog } from '../components/Dialog.tsx'
import type { Field, FormValue, FormValues } from '../data/form-model.ts'
import { mergeEdits } from '../data/merge.ts'
import type { Row } from '../data/resources.ts'
import { fieldLabel, useTexts } from '../locales/index.ts'
import { CollectionCell } from './CollectionCell.tsx'
import type { Conflict, Draft, DraftVersion } from './draft.ts'

interface Props<R extends Row> {
  readonly draft: Draft<R>
  /** Saves the merged values as a change of the current version. */
  readonly onSave: (merged: FormValues, current: DraftVersion<R>) => void
}

export function ConflictDialog<R extends Row>({ draft, onSave }: Props<R>) {
  return draft.conflict ? <Merge draft={draft} conflict={draft.conflict} onSave={onSave} /> : null
}

function Merge<R extends Row>({ draft, conflict, onSave }: Props<R> & { readonly conflict: Conflict<R> }) {
  const t = useTexts()
  const { values: mine } = draft
  const { values: theirs } = conflict.current
  const { conflicts, merged } = mergeEdits(draft.fields, conflict.from.values, mine, theirs)
  const [kept, setKept] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({})
  const merge = () => {
    const chosen = conflicts.filter(({ name }) => kept[name] === 'theirs')
    const values = { ...merged, ...Object.fromEntries(chosen.map(({ name }) => [name, theirs[name] ?? ''])) }
    draft.resolve(values)
    onSave(values, conflict.current)
  }
  const close = () => draft.resolve()
  return (
    <Dialog
      title={t('conflictTitle')}
      isOpen
      role="alertdialog"
      size="large"
      onClose={close}
      footer={
        <>
          <Button onPress={close}>{t('conflictBack')}</Button>
          <Button kind="primary" onPress={merge}>
            {t('conflictSave')}
          </Button>
        </>
      }
    >
      <p>{t(conflicts.length > 0 ? 'conflictText' : 'conflictNone')}</p>
      {conflicts.map(({ name, title, kind, source, words }) => (
        <fieldset key={name} className="field group">
          <legend>{fieldLabel(name, title)}</legend>
          {(['mine', 'theirs'] as const).map(side => (
            <label key={side} className="choice">
              <input
                type="radio"
                name={`keep-${name}`}
                checked={(kept[name] ?? 'mine') === side}
                onChange={() => setKept({ ...kept, [name]: side })}
              />
              <span>
                <strong>{t(side === 'mine' ? 'conflictYours' : 'conflictTheirs')}</strong>
                {kind === 'reference' || kind === 'member' || kind === 'file' ? (
                  <CollectionCell name={name} field={source} value={side === 'mine' ? mine[name] : theirs[name]} />
                ) : (
                  <pre className="prose">{textOf(side === 'mine' ? mine[name] : theirs[name], words)}</pre>
                )}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </Dialog>
  )
}

const textOf = (value: FormValue | undefined, words: Field['words']): string =>
  typeof value === 'object' ? JSON.stringify(value, null, 2) : (words?.[String(value)]?.title ?? String(value ?? ''))

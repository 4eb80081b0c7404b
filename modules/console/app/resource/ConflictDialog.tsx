/** Shown when the record has changed since the form was opened (412). Merges both changes. */
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Dialog } from '../components/Dialog.tsx'
import type { Field, FormValue, FormValues } from '../data/form-model.ts'
import { mergeEdits } from '../data/merge.ts'
import { fieldLabel, useTexts } from '../locales/index.ts'

interface Props {
  readonly fields: readonly Field[]
  readonly before: FormValues
  readonly mine: FormValues
  readonly theirs: FormValues
  readonly onMerge: (merged: FormValues) => void
  readonly onClose: () => void
}

export function ConflictDialog({ fields, before, mine, theirs, onMerge, onClose }: Props) {
  const t = useTexts()
  const { conflicts, merged } = mergeEdits(fields, before, mine, theirs)
  const [kept, setKept] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({})
  const merge = () => {
    const chosen = conflicts.filter(({ name }) => kept[name] === 'theirs')
    onMerge({ ...merged, ...Object.fromEntries(chosen.map(({ name }) => [name, theirs[name] ?? ''])) })
  }
  return (
    <Dialog
      title={t('conflictTitle')}
      isOpen
      role="alertdialog"
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('conflictBack')}</Button>
          <Button kind="primary" onPress={merge}>
            {t('conflictSave')}
          </Button>
        </>
      }
    >
      <p>{t(conflicts.length > 0 ? 'conflictText' : 'conflictNone')}</p>
      {conflicts.map(({ name, title }) => (
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
                <pre className="prose">{textOf(side === 'mine' ? mine[name] : theirs[name])}</pre>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </Dialog>
  )
}

const textOf = (value: FormValue | undefined): string =>
  typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value ?? '')

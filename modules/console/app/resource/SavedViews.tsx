/** Named states of a list, stored in this browser. */
import { type FormEvent, useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Dialog } from '../components/Dialog.tsx'
import { Menu } from '../components/Menu.tsx'
import type { ListSearch } from '../data/list.ts'
import type { Resource } from '../data/resources.ts'
import { readStored, writeStored } from '../data/store.ts'
import { useTexts } from '../locales/index.ts'

interface Props {
  readonly resource: Resource
  readonly search: ListSearch
  readonly onChange: (next: Partial<ListSearch>) => void
}
type Views = Readonly<Record<string, ListSearch>>

const EMPTY = { q: undefined, sort: undefined, filters: undefined, columns: undefined }

export function SavedViews({ resource, search, onChange }: Props) {
  const t = useTexts()
  const key = `views.${resource.id}`
  const [views, setViews] = useState(() => readStored<Views>(key, {}))
  const [isSaving, setSaving] = useState(false)
  const [name, setName] = useState('')
  const store = (next: Views) => {
    setViews(next)
    writeStored(key, next)
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return
    const { q, sort, filters, columns } = search
    store({ ...views, [name.trim()]: { q, sort, filters, columns } as ListSearch })
    setSaving(false)
    setName('')
  }
  const names = Object.keys(views)
  return (
    <>
      <Menu
        label={t('views')}
        trigger={<Button kind="quiet" icon="star" label={t('views')} />}
        items={[
          ...names.map(each => ({
            id: `open:${each}`,
            text: each,
            onAction: () => onChange({ ...EMPTY, ...views[each] } as Partial<ListSearch>),
          })),
          { id: 'save', text: t('saveView'), icon: 'plus', onAction: () => setSaving(true) },
          ...names.map(each => ({
            id: `delete:${each}`,
            text: t('deleteView', { name: each }),
            icon: 'trash-2',
            danger: true,
            onAction: () => store(Object.fromEntries(Object.entries(views).filter(([other]) => other !== each))),
          })),
        ]}
      />
      <Dialog title={t('saveViewTitle')} isOpen={isSaving} onClose={() => setSaving(false)}>
        <form className="form" onSubmit={save}>
          <div className="field">
            <label htmlFor="view-name">{t('viewName')}</label>
            <input id="view-name" autoFocus value={name} onChange={event => setName(event.target.value)} />
          </div>
          <div className="form-actions">
            <Button kind="primary" type="submit">
              {t('saveViewTitle')}
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  )
}

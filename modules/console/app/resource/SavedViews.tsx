/** Saved views of a list: the person's own, and those that the workspace shares. */
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { ConfirmButton, Dialog, FormDialog } from '../components/Dialog.tsx'
import { TextField } from '../components/LabeledField.tsx'
import { LazyMenu } from '../components/LazyMenu.tsx'
import { useAction } from '../data/action.ts'
import { api } from '../data/api.ts'
import type { SavedView } from '../data/api-types.ts'
import { useGet, useReload } from '../data/get.ts'
import type { ListSearch } from '../data/list.ts'
import type { Resource } from '../data/resources.ts'
import { useMe, usePermissions } from '../data/session.ts'
import { useTexts } from '../locales/index.ts'
import styles from './SavedViews.module.css'

interface Props {
  readonly resource: Resource
  readonly search: ListSearch
  readonly onChange: (next: Partial<ListSearch>) => void
}

const EMPTY = { q: undefined, sort: undefined, filters: undefined, columns: undefined }

export function SavedViews({ resource, search, onChange }: Props) {
  const t = useTexts()
  const { data: me } = useMe()
  const [isUsed, setUsed] = useState(false)
  const [dialog, setDialog] = useState<'save' | 'manage'>()
  const { data } = useGet('/v1/console/views', { query: { list: resource.id }, isEnabled: isUsed })
  const views = data?.data ?? []
  const own = views.filter(({ createdBy }) => createdBy === me?.user.id)
  return (
    <>
      <LazyMenu
        label={t('views')}
        trigger={<Button kind="quiet" icon="star" label={t('views')} />}
        onOpen={() => setUsed(true)}
        items={[
          ...views.map(({ id, name, shared, state }) => ({
            id,
            text: name,
            icon: shared ? 'users' : 'star',
            onAction: () => onChange({ ...EMPTY, ...state } as Partial<ListSearch>),
          })),
          { id: 'save', text: t('saveView'), icon: 'plus', onAction: () => setDialog('save') },
          ...(views.length > 0
            ? [{ id: 'manage', text: t('manageViews'), icon: 'settings', onAction: () => setDialog('manage') }]
            : []),
        ]}
      />
      {dialog === 'save' && (
        <SaveDialog resource={resource} search={search} own={own} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'manage' && <ManageDialog views={views} own={own} onClose={() => setDialog(undefined)} />}
    </>
  )
}

interface SaveProps extends Pick<Props, 'resource' | 'search'> {
  readonly own: readonly SavedView[]
  readonly onClose: () => void
}

function SaveDialog({ resource, search, own, onClose }: SaveProps) {
  const t = useTexts()
  const { may } = usePermissions()
  const [name, setName] = useState('')
  const canShare = may('console.view.share')
  const [isShared, setShared] = useState(false)
  // Whoever may no longer share a view makes it private by replacing it.
  const shared = canShare && isShared
  const reload = useReload()
  const action = useAction({ onDone: () => reload('/v1/console/views') })
  const title = name.trim()
  const replaced = own.find(view => view.name === title)
  const save = async () => {
    const { q, sort, filters, columns } = search
    const state = { q, sort, filters, columns: columns && [...columns] }
    const saved = await action.run(
      () =>
        replaced
          ? api.patch('/v1/console/views/{id}', { path: { id: replaced.id }, body: { shared, state } })
          : api.post('/v1/console/views', { body: { list: resource.id, name: title, shared, state } }),
      t('viewSaved', { name: title }),
    )
    if (saved) onClose()
  }
  return (
    <FormDialog
      title={t('saveViewTitle')}
      submit={t('saveViewTitle')}
      isOpen
      isDisabled={action.isBusy || title === ''}
      onSubmit={save}
      onClose={onClose}
    >
      <TextField
        label={t('viewName')}
        hint={replaced && t(replaced.shared && !canShare ? 'viewReplacedPrivate' : 'viewReplaced')}
        autoFocus
        required
        maxLength={100}
        value={name}
        onChange={text => {
          setName(text)
          const same = own.find(view => view.name === text.trim())
          if (same) setShared(same.shared)
        }}
      />
      {canShare && (
        <label className="choice">
          <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
          <span>{t('viewShare')}</span>
        </label>
      )}
    </FormDialog>
  )
}

interface ManageProps {
  readonly views: readonly SavedView[]
  readonly own: readonly SavedView[]
  readonly onClose: () => void
}

function ManageDialog({ views, own, onClose }: ManageProps) {
  const t = useTexts()
  const { may } = usePermissions()
  const reload = useReload()
  const action = useAction({ onDone: () => reload('/v1/console/views') })
  const canShare = may('console.view.share')
  const inputOf = ({ id, version }: SavedView) => ({ path: { id }, etag: `"${version}"` })
  const share = (view: SavedView, shared: boolean) =>
    action.run(() => api.patch('/v1/console/views/{id}', { ...inputOf(view), body: { shared } }))
  const remove = (view: SavedView) => action.run(() => api.delete('/v1/console/views/{id}', inputOf(view)))
  return (
    <Dialog title={t('views')} isOpen onClose={onClose}>
      {views.length === 0 && <p className="muted">{t('noViews')}</p>}
      <ul className={styles.views}>
        {views.map(view => (
          <li key={view.id}>
            <span>{view.name}</span>
            {(canShare || (own.includes(view) && view.shared)) && (
              <label className="choice">
                <input
                  type="checkbox"
                  checked={view.shared}
                  disabled={action.isBusy || !own.includes(view)}
                  aria-label={`${view.name}: ${t('viewShare')}`}
                  onChange={({ target }) => share(view, target.checked)}
                />
                <span>{t('viewShared')}</span>
              </label>
            )}
            {(own.includes(view) || canShare) && (
              <ConfirmButton
                kind="quiet"
                icon="trash-2"
                label={t('deleteView', { name: view.name })}
                title={t('deleteViewTitle', { name: view.name })}
                text={t(view.shared ? 'deleteSharedViewText' : 'deleteViewText')}
                confirm={t('delete')}
                danger
                isBusy={action.isBusy}
                onConfirm={() => remove(view)}
              />
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Menus, and the key of a new one. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { Page } from '../../components/Page.tsx'
import { useTexts } from '../../locales/index.ts'
import { areaCrumbs, recordUrl } from '../../resource/generic.ts'
import { ResourceList } from '../../resource/ResourceList.tsx'
import type { ResourceScreenProps } from '../registry.ts'
import { useContentTexts } from './texts.ts'

const KEY = /^[a-z][a-z0-9_-]{0,63}$/
const NO_SCOPE = {}

export default function MenuList({ resource }: ResourceScreenProps) {
  const t = useTexts()
  const c = useContentTexts()
  const id = useId()
  const navigate = useNavigate()
  const search = useSearch({ strict: false })
  const [isOpen, setOpen] = useState(false)
  const [key, setKey] = useState('')
  const [isInvalid, setInvalid] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (KEY.test(key)) navigate({ to: recordUrl(resource, key) })
    else setInvalid(true)
  }
  return (
    <Page
      title={resource.title}
      crumbs={areaCrumbs(resource.module)}
      actions={
        resource.operations.update && (
          <Button kind="primary" onPress={() => setOpen(true)}>
            {c.newMenu}
          </Button>
        )
      }
    >
      <ResourceList resource={resource} scope={NO_SCOPE} search={search} />
      <Dialog title={c.newMenu} isOpen={isOpen} onClose={() => setOpen(false)}>
        <form className="form" onSubmit={submit} noValidate>
          <div className={`field${isInvalid ? ' invalid' : ''}`}>
            <label htmlFor={id}>{c.menuKey}</label>
            <input
              id={id}
              value={key}
              autoComplete="off"
              aria-invalid={isInvalid || undefined}
              aria-describedby={`${id}-hint`}
              onChange={event => setKey(event.target.value)}
            />
            <p className={isInvalid ? 'error' : 'hint'} id={`${id}-hint`}>
              {isInvalid ? c.menuKeyInvalid : c.menuKeyHint}
            </p>
          </div>
          <div className="form-actions">
            <Button onPress={() => setOpen(false)}>{t('cancel')}</Button>
            <Button kind="primary" type="submit">
              {c.createMenu}
            </Button>
          </div>
        </form>
      </Dialog>
    </Page>
  )
}

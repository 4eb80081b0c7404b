/** Menus, and the key of a new one. */

import { useState } from 'react'
import {
  areaCrumbs,
  Button,
  FormDialog,
  Page,
  ResourceList,
  type ResourceScreenProps,
  recordUrl,
  TextField,
  useNavigate,
  useSearch,
} from '../../public.ts'
import { useContentTexts } from './texts.ts'

const KEY = /^[a-z][a-z0-9_-]{0,63}$/
const NO_SCOPE = {}

export default function MenuList({ resource }: ResourceScreenProps) {
  const c = useContentTexts()
  const navigate = useNavigate()
  const search = useSearch()
  const [isOpen, setOpen] = useState(false)
  const [key, setKey] = useState('')
  const [isInvalid, setInvalid] = useState(false)
  const submit = () => {
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
      <FormDialog
        title={c.newMenu}
        submit={c.createMenu}
        isOpen={isOpen}
        onSubmit={submit}
        onClose={() => setOpen(false)}
      >
        <TextField
          label={c.menuKey}
          hint={!isInvalid && c.menuKeyHint}
          error={isInvalid ? c.menuKeyInvalid : undefined}
          value={key}
          onChange={setKey}
        />
      </FormDialog>
    </Page>
  )
}

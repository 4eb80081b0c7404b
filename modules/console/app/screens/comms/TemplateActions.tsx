/** Saves, restores and tests the text of a template in one language. */

import { useState } from 'react'
import {
  api,
  Button,
  ConfirmDialog,
  FormDialog,
  type Resource,
  TextField,
  useAction,
  useMe,
  useScreenTexts,
} from '../../public.ts'
import type { Draft } from './TemplateFields.tsx'
import { texts } from './texts.ts'

interface Props {
  readonly resource: Resource
  readonly templateKey: string
  readonly locale: string
  readonly isSendable: boolean
  readonly isOwn: boolean
  readonly isDirty: boolean
  readonly draft: Draft
  readonly onFailure: (failure: unknown) => void
  readonly onDone: () => Promise<unknown>
}

export function TemplateActions(props: Props) {
  const { resource, templateKey, locale, isSendable, isOwn, isDirty, draft, onFailure, onDone } = props
  const t = useScreenTexts(texts)
  const { data: me } = useMe()
  const action = useAction({ onDone, onFailure })
  const { isBusy } = action
  const [open, setOpen] = useState<'restore' | 'test'>()
  const [address, setAddress] = useState<string>()
  const to = address ?? me?.user.email ?? ''
  const path = { key: templateKey }
  const query = { locale }
  const may = (operation: string) => resource.actions.some(({ id }) => id === operation)
  const run = async (work: () => Promise<unknown>, done: string) => {
    await action.run(work, done)
    setOpen(undefined)
  }
  const save = () => run(() => api.put('/v1/communications/templates/{key}', { path, query, body: draft }), t.saved)
  const restore = () => run(() => api.delete('/v1/communications/templates/{key}', { path, query }), t.restored)
  const test = () =>
    run(
      () => api.post('/v1/communications/templates/{key}/test', { path, body: { to, locale } }),
      t.testSent.replace('{address}', to),
    )
  return (
    <div className="row template-actions">
      {resource.operations.update && (
        <Button kind="primary" isDisabled={isBusy || !isDirty} onPress={save}>
          {t.save}
        </Button>
      )}
      {isSendable && may('sendTestEmail') && (
        <Button icon="send" isDisabled={isBusy || isDirty} onPress={() => setOpen('test')}>
          {t.test}
        </Button>
      )}
      {isOwn && may('deleteEmailTemplateOverride') && (
        <Button kind="quiet" icon="history" isDisabled={isBusy} onPress={() => setOpen('restore')}>
          {t.restore}
        </Button>
      )}
      <ConfirmDialog
        title={t.restore}
        text={t.restoreText}
        confirm={t.restore}
        danger
        isOpen={open === 'restore'}
        isBusy={isBusy}
        onConfirm={restore}
        onClose={() => setOpen(undefined)}
      />
      <FormDialog
        title={t.test}
        submit={t.test}
        isOpen={open === 'test'}
        isDisabled={isBusy}
        onSubmit={test}
        onClose={() => setOpen(undefined)}
      >
        <TextField label={t.address} type="email" required value={to} onChange={setAddress} />
      </FormDialog>
    </div>
  )
}

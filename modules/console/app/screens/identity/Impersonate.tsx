/** Asks why an operator acts as a user, and in which workspace. */
import { type FormEvent, useId, useState } from 'react'
import { Button } from '../../components/Button.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { useAction } from '../../data/action.ts'
import { messageOf } from '../../data/problem.ts'
import { startImpersonation } from '../../data/session.ts'
import { fill, useTexts } from '../../locales/index.ts'
import { useImpersonateTexts } from './impersonate-texts.ts'

const MIN_LENGTH = 10
const MAX_LENGTH = 500

interface Props {
  readonly user: { readonly id: string; readonly name: string }
  readonly workspaces: readonly { readonly id: string; readonly name: string }[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function Impersonate({ user, workspaces, isOpen, onClose }: Props) {
  const t = useTexts()
  const c = useImpersonateTexts()
  const id = useId()
  const [reason, setReason] = useState('')
  const [chosen, setChosen] = useState(workspaces[0]?.id ?? '')
  const [failure, setFailure] = useState<unknown>()
  const { isBusy, run } = useAction({ onFailure: setFailure })
  const isTooShort = reason.trim().length < MIN_LENGTH
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isTooShort) run(() => startImpersonation(user.id, chosen, reason.trim()))
  }
  return (
    <Dialog title={fill(c.impersonateTitle, { name: user.name })} isOpen={isOpen} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>{c.impersonateText}</p>
        {failure !== undefined && (
          <div className="notice danger" role="alert">
            {messageOf(failure)}
          </div>
        )}
        {workspaces.length > 1 && (
          <div className="field">
            <label htmlFor={`${id}-workspace`}>{t('workspace')}</label>
            <select id={`${id}-workspace`} value={chosen} onChange={({ target }) => setChosen(target.value)}>
              {workspaces.map(({ id: each, name }) => (
                <option key={each} value={each}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        )}
        <div className="field">
          <label htmlFor={`${id}-reason`}>{c.reason}</label>
          <textarea
            id={`${id}-reason`}
            rows={3}
            required
            minLength={MIN_LENGTH}
            maxLength={MAX_LENGTH}
            aria-describedby={`${id}-hint`}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <p className="hint" id={`${id}-hint`}>
            {c.reasonHint}
          </p>
        </div>
        <div className="form-actions">
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button kind="primary" type="submit" isDisabled={isBusy || isTooShort}>
            {c.impersonate}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

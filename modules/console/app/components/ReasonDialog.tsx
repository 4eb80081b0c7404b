/** Asks for the reason of an action that the audit log records, and for what else the action needs. */
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useAction } from '../data/action.ts'
import { fieldErrors, messageOf } from '../data/problem.ts'
import { useTexts } from '../locales/index.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { toast } from './Toast.tsx'

const MAX_LENGTH = 500

interface Props {
  readonly title: string
  readonly text?: string
  /** Who reads the reason. */
  readonly hint: string
  /** Label of the button. */
  readonly confirm: string
  readonly danger?: boolean
  readonly minLength?: number
  /** Whether the fields above the reason are filled. */
  readonly isReady?: boolean
  readonly isOpen: boolean
  /** The dialog closes when it resolves, except to false, and shows what it throws. */
  readonly onConfirm: (reason: string) => Promise<unknown>
  /** Shown after a success. */
  readonly message?: string
  readonly onClose: () => void
  /** Fields above the reason. @param errors messages by the pointer of the field. */
  readonly children?: (errors: ReadonlyMap<string, string>) => ReactNode
}

export function ReasonDialog({ title, isOpen, onClose, ...form }: Props) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <ReasonForm onClose={onClose} {...form} />
    </Dialog>
  )
}

type FormProps = Omit<Props, 'title' | 'isOpen'>

function ReasonForm({
  text,
  hint,
  confirm,
  danger = false,
  minLength = 1,
  isReady = true,
  onConfirm,
  message,
  onClose,
  children,
}: FormProps) {
  const t = useTexts()
  const id = useId()
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const { isBusy, run } = useAction({ onFailure: setFailure })
  const errors = fieldErrors(failure)
  const isTooShort = reason.trim().length < minLength
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isTooShort || !isReady) return
    const isDone = await run(async () => (await onConfirm(reason.trim())) !== false)
    if (!isDone) return
    if (message !== undefined) toast(message)
    onClose()
  }
  return (
    <form className="form" onSubmit={submit}>
      {text && <p>{text}</p>}
      {failure !== undefined && (
        <div className="notice danger" role="alert">
          {errors.size > 0 ? t('formInvalid') : messageOf(failure)}
        </div>
      )}
      {children?.(errors)}
      <div className="field">
        <label htmlFor={`${id}-reason`}>{t('reason')}</label>
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the dialog opens for this field
          autoFocus={!children}
          id={`${id}-reason`}
          rows={3}
          required
          minLength={minLength}
          maxLength={MAX_LENGTH}
          aria-describedby={`${id}-hint`}
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
        <p className={errors.has('/reason') ? 'error' : 'hint'} id={`${id}-hint`}>
          {errors.get('/reason') ?? hint}
        </p>
      </div>
      <div className="form-actions">
        <Button onPress={onClose}>{t('cancel')}</Button>
        <Button kind={danger ? 'danger' : 'primary'} type="submit" isDisabled={isBusy || isTooShort || !isReady}>
          {confirm}
        </Button>
      </div>
    </form>
  )
}
